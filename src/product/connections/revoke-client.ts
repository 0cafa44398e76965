/** The end of a client, and of all that people allowed it. */
import { endGrantsOfClient } from '../../identity/clients/clients.ts';
import type { Database } from '../../platform/db/client.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { announceEnded } from './end-connection.ts';

/**
 * Its tokens are refused within a second, and each company is told of its connections.
 *
 * @returns false when there is no such client, or it was revoked before
 */
export async function revokeClient(db: Database, id: string): Promise<boolean> {
  return db.global.transaction().execute(async (tx) => {
    const revoked = await tx
      .updateTable('oauth_clients')
      .set({ revoked_at: new Date().toISOString() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst();
    if (!revoked) return false;
    await notifyAccessChanged(tx, { clients: true }, { client_id: id });
    const ended = await endGrantsOfClient(tx, id);
    await announceEnded(tx, ended, { client_id: id, app_name: revoked.name, reason: 'operator' });
    return true;
  });
}
