/**
 * The client of the command line (`packages/cli`): public, and back to the own machine only (RFC 8252). It is made when the
 * service starts, so that nobody has to register one to sign in from a terminal; `client revoke` switches that off for good.
 */
import type { Database } from '../../platform/db/client.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';

/** The command line knows it by this id, whatever service it talks to. */
export const commandLineClientId = 'command-line';

/** On loopback any port is accepted. */
const redirectUris = ['http://127.0.0.1/callback'];

export async function ensureCommandLineClient(db: Database): Promise<void> {
  await db.global.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('oauth_clients')
      .values({ id: commandLineClientId, name: 'Command line', redirect_uris: redirectUris, secret_hash: null })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) await notifyAccessChanged(tx, { clients: true });
  });
}
