/**
 * The client of the command line: public, with loopback redirects only (RFC 8252). Created at startup, so that nobody must
 * register it; `client revoke` disables it permanently.
 */
import type { Database } from '../../platform/db/client.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';

/** The same id in every service. */
export const commandLineClientId = 'command-line';

/** On loopback any port is accepted. */
const redirectUris = ['http://127.0.0.1/callback'];

export async function ensureCommandLineClient(db: Database): Promise<void> {
  await db.global.transaction().execute(async (tx) => {
    const created = await tx
      .insertInto('oauth_clients')
      .values({ id: commandLineClientId, name: 'Command line', redirect_uris: redirectUris, secret_hash: null })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (created) await notifyAccessChanged(tx, { clients: true });
  });
}
