/**
 * The client of the reference page at `/docs`: our own, public, and back to our own address only. It is made when the
 * service starts, because the page is there from the start; `client revoke` switches its sign-in off for good.
 */
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { isLoopback } from './redirect-uris.ts';

export const reference_client_id = 'api-reference';

/** Where the sign-in window of the page comes back to. */
export const reference_redirect_path = '/docs/signed-in';

/**
 * Makes the client, or moves it to this address.
 * @param base_url public address of the service; plain HTTP works on loopback only, as for any client
 */
export async function ensureReferenceClient(db: Database, base_url: string): Promise<void> {
  const { protocol, hostname } = new URL(base_url);
  if (protocol !== 'https:' && !isLoopback(hostname)) return;
  const redirect_uris = [base_url + reference_redirect_path];
  await db.global.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('oauth_clients')
      .values({ id: reference_client_id, name: 'API reference', redirect_uris, secret_hash: null })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ redirect_uris })
          .where('oauth_clients.redirect_uris', '<>', sql<string[]>`excluded.redirect_uris`),
      )
      .returning('id')
      .executeTakeFirst();
    if (made) await notifyAccessChanged(tx, { clients: true });
  });
}
