import { revokeGrantsOfClient } from '../../identity/clients/clients.ts';
import type { Database } from '../../platform/db/client.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { announceEnded } from './end-connection.ts';

/**
 * Tokens are rejected within a second, and companies are notified.
 * @returns false for an unknown client, or if already revoked
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
    const ended = await revokeGrantsOfClient(tx, id);
    await announceEnded(tx, ended, { client_id: id, app_name: revoked.name, reason: 'operator' });
    return true;
  });
}
