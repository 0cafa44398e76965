/** The service's own clients, which redirect to its own address: created at startup, and updated when the address changes. */
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { isLoopback } from './redirect-uris.ts';

interface OwnClient {
  id: string;
  name: string;
  /** The redirect path, below the service's address. */
  path: string;
  /** The scopes it may request; null for all. */
  scopes: string[] | null;
}

/** @param baseUrl public address of the service; plain HTTP is allowed on loopback only, as for any client */
export function canRedirectTo(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || isLoopback(hostname);
}

/** Creates the client or updates its redirect URI; a revoked client stays revoked. */
export async function ensureOwnClient(
  db: Database,
  baseUrl: string,
  { id, name, path, scopes }: OwnClient,
): Promise<void> {
  if (!canRedirectTo(baseUrl)) return;
  const redirectUris = [baseUrl + path];
  await db.global.transaction().execute(async (tx) => {
    const created = await tx
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
    if (created) await notifyAccessChanged(tx, { clients: true });
  });
}
