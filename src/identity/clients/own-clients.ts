/** Clients of the service itself, whose pages come back to its own address: made when it starts, moved when its address does. */
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { isLoopback } from './redirect-uris.ts';

interface OwnClient {
  id: string;
  name: string;
  /** Where it comes back to, below the address of the service. */
  path: string;
  /** Those that it may ask for; null for all there are. */
  scopes: string[] | null;
}

/** @param base_url public address of the service; plain HTTP works on loopback only, as for any client */
export function canComeBack(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || isLoopback(hostname);
}

/** Makes the client, or moves it to this address; one that was revoked stays so. */
export async function ensureOwnClient(
  db: Database,
  baseUrl: string,
  { id, name, path, scopes }: OwnClient,
): Promise<void> {
  if (!canComeBack(baseUrl)) return;
  const redirectUris = [baseUrl + path];
  await db.global.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('oauth_clients')
      .values({ id, name, redirect_uris: redirectUris, scopes, secret_hash: null })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ redirect_uris: redirectUris })
          .where('oauth_clients.redirect_uris', '<>', sql<string[]>`excluded.redirect_uris`),
      )
      .returning('id')
      .executeTakeFirst();
    if (made) await notifyAccessChanged(tx, { clients: true });
  });
}
