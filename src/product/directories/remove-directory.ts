/** Disconnects a directory: its token is rejected from the next request on. Its people stay, and can be changed here. */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { emit } from '../events/emit.ts';
import { unmanaged } from './people/managed-people.ts';

/** @param userId null for the operator's command line @returns undefined if it was deleted concurrently */
export async function removeDirectory(
  tx: TenantTransaction,
  id: string,
  userId: string | null,
): Promise<{ deleted_at: string } | undefined> {
  const removed = await tx.global
    .deleteFrom('directories')
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .returning('name')
    .executeTakeFirst();
  if (!removed) return undefined;
  await tx.updateTable('collaborators').set(unmanaged).where('managed_by', '=', id).execute();
  await notifyAccessChanged(tx.raw, { company_id: tx.company_id }); // cached with memberships
  const groups = tx.selectFrom('directory_groups').select('id').where('directory_id', '=', id);
  const groupIds = (await groups.execute()).map((group) => group.id);
  await tx.deleteFrom('directory_members').where('group_id', '=', sql<string>`any(${groupIds}::uuid[])`).execute();
  for (const table of ['directory_groups', 'directory_people', 'directory_errors', 'directory_syncs'] as const) {
    await tx.deleteFrom(table).where('directory_id', '=', id).execute();
  }
  const { name } = removed;
  const deletedAt = new Date().toISOString();
  emit(tx, 'directory.deleted', { id, name, deleted_by: userId, deleted_at: deletedAt });
  return { deleted_at: deletedAt };
}
