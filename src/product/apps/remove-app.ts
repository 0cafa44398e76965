import { sql } from 'kysely';
import { revokeGrantsOfClient } from '../../identity/clients/clients.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { announceEnded } from '../connections/end-connection.ts';

/** Its tokens are rejected as soon as each process is notified. @returns undefined if it was deleted concurrently */
export async function removeApp(
  tx: TenantTransaction,
  id: string,
  userId: string,
): Promise<{ deleted_at: string } | undefined> {
  const removed = await tx.global
    .updateTable('oauth_clients')
    .set({ revoked_at: sql<string>`statement_timestamp()` })
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .where('revoked_at', 'is', null)
    .returning(['revoked_at', 'name'])
    .executeTakeFirst();
  if (!removed) return undefined;
  await notifyAccessChanged(tx.raw, { clients: true }, { client_id: id });
  const ended = await revokeGrantsOfClient(tx.global, id);
  const by = { company_id: tx.company_id, user_id: userId };
  await announceEnded(tx.global, ended, { client_id: id, app_name: removed.name, reason: 'app_deleted', by });
  return { deleted_at: removed.revoked_at! };
}
