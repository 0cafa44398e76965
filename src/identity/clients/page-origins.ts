/** CORS: the origins of public clients' redirect URIs, cached until a client changes. No other page can get a token. */
import type { Database } from '../../platform/db/client.ts';
import type { AccessListener } from '../../platform/notify/listen.ts';
import { isLoopback } from './redirect-uris.ts';

/** The cache lifetime while notifications may be missed. */
const disconnectedFreshMs = 1_000;

export interface PageOrigins {
  /** @param origin the `Origin` header, compared exactly (RFC 6454, section 6.2) */
  allows(origin: string): boolean | Promise<boolean>;
}

export function createPageOrigins(db: Database, access: AccessListener): PageOrigins {
  let known: { allows: Allows; readMs: number } | undefined;
  let reading: Promise<Allows> | undefined;
  const forget = () => {
    known = undefined;
    reading = undefined;
  };
  access.subscribe({ onChange() {}, onClients: forget, onGap: forget });

  const read = async (): Promise<Allows> => {
    const rows = await db.global
      .selectFrom('oauth_clients')
      .select('redirect_uris')
      .where('secret_hash', 'is', null)
      .where('revoked_at', 'is', null)
      .execute();
    return allowedBy(rows.flatMap(({ redirect_uris: redirectUris }) => redirectUris));
  };
  const readOnce = () => {
    if (reading) return reading;
    const ownRead = read();
    reading = ownRead;
    const done = (allows?: Allows) => {
      if (reading !== ownRead) return; // a client changed meanwhile
      reading = undefined;
      known = allows && { allows, readMs: performance.now() };
    };
    ownRead.then(done, () => done());
    return ownRead;
  };
  return {
    allows(origin) {
      const isCurrent = known && (access.connected || performance.now() - known.readMs < disconnectedFreshMs);
      return isCurrent ? known!.allows(origin) : readOnce().then((allows) => allows(origin));
    },
  };
}

type Allows = (origin: string) => boolean;

/**
 * The origins of redirect URIs; on loopback any port (RFC 8252, section 7.3). A custom scheme's origin, `null`, could be anybody.
 */
export function allowedBy(redirectUris: readonly string[]): Allows {
  const origins = new Set<string>();
  const loopback = new Set<string>();
  for (const uri of redirectUris) {
    const { protocol, hostname, origin } = new URL(uri);
    if (protocol === 'http:' && isLoopback(hostname)) loopback.add(hostname);
    else if (origin !== 'null') origins.add(origin);
  }
  const isLocal = (origin: string) => {
    const url = URL.parse(origin);
    return url?.protocol === 'http:' && url.origin === origin && loopback.has(url.hostname);
  };
  return (origin) => origins.has(origin) || (loopback.size > 0 && isLocal(origin));
}
