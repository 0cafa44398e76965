/** People whose manager isn't in the directory yet. */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { reportsTo } from '../../access/records.ts';
import { lockCollaborator } from '../../collaborators/write/change-collaborator.ts';
import type { CountedTransaction } from '../../collaborators/write/collaborator-counts.ts';
import { schemas } from '../attributes.ts';
import type { DirectoryContext } from '../directory-context.ts';
import { applyProfile } from './apply-attributes.ts';

/** @returns the people who wait for a manager with one of these names */
export async function peopleAwaiting(tx: TenantTransaction, directoryId: string, names: readonly (string | null)[]) {
  const known = names.filter((name) => name !== null);
  return tx
    .selectFrom('directory_people')
    .select('collaborator_id')
    .where('directory_id', '=', directoryId)
    .where('removed_at', 'is', null)
    .where('awaited_manager', 'in', known)
    .orderBy('collaborator_id')
    .execute();
}

/** Sets the manager of a person who arrived first, unless that would close a cycle. */
export async function setManager(
  tx: CountedTransaction,
  { directory, actor }: DirectoryContext,
  id: string,
  managerId: string,
): Promise<void> {
  const row = await lockCollaborator(tx, id, true);
  const fits = row.deleted_at === null && row.id !== managerId && !(await reportsTo(tx, managerId, id));
  if (fits) await applyProfile(tx, actor, row, { manager_id: managerId });
  await tx
    .updateTable('directory_people')
    .set({ awaited_manager: null })
    .where('directory_id', '=', directory.id)
    .where('collaborator_id', '=', id)
    .execute();
}

/** Remembers the reports of a manager whom the directory deletes: the provider won't send them again when the manager returns. */
export async function awaitReturn(
  tx: TenantTransaction,
  directoryId: string,
  manager: { collaborator_id: string; external_id: string | null; user_name: string },
): Promise<void> {
  const reports = tx.selectFrom('collaborators').select('id').where('manager_id', '=', manager.collaborator_id);
  await tx
    .updateTable('directory_people')
    .set({ awaited_manager: manager.external_id ?? manager.user_name })
    .where('directory_id', '=', directoryId)
    .where('removed_at', 'is', null)
    .where('collaborator_id', 'in', reports)
    .where(sql<boolean>`attributes #> ${sql.lit(`{"${schemas.enterprise}",manager}`)} is not null`)
    .execute();
}
