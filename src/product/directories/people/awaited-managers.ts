/** People whose manager isn't in the directory yet. */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { type CollaboratorRow, reportsTo } from '../../access/records.ts';
import { type Actor, lockCollaborator } from '../../collaborators/write/change-collaborator.ts';
import type { CountedTransaction } from '../../collaborators/write/collaborator-counts.ts';
import { schemas } from '../attributes.ts';
import { applyProfile } from './apply-attributes.ts';

const sentManager = sql<string | null>`attributes #>> ${sql.lit(`{"${schemas.enterprise}",manager,value}`)}`;

/**
 * @returns the people who wait for this manager. User names match in any case, external IDs only exactly (RFC 7643, sections 3.1
 *   and 4.1.1).
 */
export async function peopleAwaiting(
  tx: TenantTransaction,
  directoryId: string,
  { user_name: userName, external_id: externalId }: { user_name: string; external_id: string | null },
) {
  const name = userName.toLowerCase();
  const keys = [name, ...(externalId === null ? [] : [externalId, externalId.toLowerCase()])];
  const waiting = await tx
    .selectFrom('directory_people')
    .select(['collaborator_id', 'awaited_manager', sentManager.as('sent')])
    .where('directory_id', '=', directoryId)
    .where('removed_at', 'is', null)
    .where('awaited_manager', 'in', keys)
    .orderBy('collaborator_id')
    .execute();
  return waiting.filter(({ awaited_manager: awaited, sent }) => {
    const isReturning = awaited === externalId && sent?.toLowerCase() !== awaited; // stored by `awaitReturn`
    return awaited === name || sent === externalId || isReturning;
  });
}

/** Sets the manager of a person who arrived first, unless that would close a cycle. */
export async function setManager(
  tx: CountedTransaction,
  { directory, actor }: { directory: { id: string }; actor: Actor },
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

/**
 * Remembers the reports of a deleted manager whose directory names their manager: nobody else may change it, and the provider won't
 * send it again when the manager returns.
 */
export async function awaitReturn(tx: TenantTransaction, manager: CollaboratorRow): Promise<void> {
  if (!manager.managed_by) return;
  const person = await tx
    .selectFrom('directory_people')
    .select(['external_id', 'user_name'])
    .where('directory_id', '=', manager.managed_by)
    .where('collaborator_id', '=', manager.id)
    .executeTakeFirst();
  if (!person) return;
  const reports = tx.selectFrom('collaborators').select('id').where('manager_id', '=', manager.id);
  await tx
    .updateTable('directory_people')
    .set({ awaited_manager: person.external_id ?? person.user_name.toLowerCase() })
    .where('directory_id', '=', manager.managed_by)
    .where('removed_at', 'is', null)
    .where('collaborator_id', 'in', reports)
    .where(sql<boolean>`attributes #> ${sql.lit(`{"${schemas.enterprise}",manager}`)} is not null`)
    .execute();
}
