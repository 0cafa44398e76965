/**
 * Soft-deletes and restores collaborators. A deleted one disappears from all reads, the email address becomes available, and the
 * user loses access to the company.
 */
import { sql } from 'kysely';
import { allOf, t } from '../../contract/languages/text.ts';
import { type FieldErrors, notFound, Problem } from '../../contract/problem.ts';
import { revokeCompanyGrants } from '../../identity/grants/grants.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { limitsOf, requireWithinLimits } from '../access/installation-limits.ts';
import { type CollaboratorRow, collaboratorColumns } from '../access/records.ts';
import { requestInstallationApproval } from '../connections/installer-departure.ts';
import { fieldsIn, fieldsNow } from '../custom-fields/in-transaction.ts';
import { takenValues, uniqueForms, valueHolders } from '../custom-fields/unique-values.ts';
import { emitEach } from '../events/emit.ts';
import { lockManager } from './fields/hierarchy.ts';
import { takenErrors, takenFields, type UniqueField, violatedField } from './fields/unique-fields.ts';
import { assertAdminRemains } from './membership/admins.ts';
import { cancelInvitations } from './membership/invitations.ts';
import { addMembership, removeMembership } from './membership/link-user.ts';
import { collaboratorEvent, eventSubject } from './responses/collaborator-response.ts';
import { type Actor, changeCollaborator, lockCollaborator } from './write/change-collaborator.ts';
import { changeTime } from './write/change-time.ts';
import { type CountedTransaction, countChange } from './write/collaborator-counts.ts';
import { recordEach } from './write/history.ts';

export const restorableMs = 30 * 86_400_000;
const rowsPerStatement = 500;

/** Deletes a locked row. The transaction must have called `lockHierarchy` and `lockAdmins` first. @throws 409 `last_admin` */
export async function deleteLocked(
  tx: CountedTransaction,
  actor: Actor,
  before: CollaboratorRow,
): Promise<CollaboratorRow> {
  await assertAdminRemains(tx, before);
  await moveReports(tx, actor, before);
  await cancelInvitations(tx, [before.id]);
  if (before.user_id) await revokeAccess(tx, before.user_id);
  return changeCollaborator(tx, actor, before, {
    set: { deleted_at: new Date().toISOString() },
    action: 'deleted',
    description: 'Collaborator deleted',
    event: 'collaborator.deleted',
    payload: (after) => ({
      ...eventSubject(after),
      deleted_by: actor.user_id,
      deleted_at: after.deleted_at!,
    }),
  });
}

/**
 * @throws 403 for an installation beyond its limits, 404 if erased or too old, 409 `email_taken`, or `conflict` for another value
 */
export async function restoreWithin(tx: CountedTransaction, actor: Actor, id: string): Promise<CollaboratorRow> {
  const before = await lockCollaborator(tx, id, true);
  if (!before.deleted_at) return before;
  if (await isErased(tx, id)) throw notFound();
  requireWithinLimits(await limitsOf(tx, actor.user_id), before, { status: 'active' });
  if (Date.parse(before.deleted_at) < Date.now() - restorableMs) throw notFound();
  const taken = Object.keys(await takenFields(tx, before, id)) as UniqueField[];
  if (taken.length > 0) throw takenSinceDeletion(taken);
  const forms = uniqueForms(await fieldsNow(tx), before.custom_fields);
  const takenCustomFields = takenValues(await valueHolders(tx, forms), forms, id);
  if (Object.keys(takenCustomFields).length > 0) throw customValueConflict(takenCustomFields);
  const managerId = before.manager_id && (await lockManager(tx, before.manager_id)) ? before.manager_id : null;
  const userId =
    before.user_id && (await isUser(tx, before.user_id)) && (await addMembership(tx, before.user_id, id))
      ? before.user_id
      : null;
  const restored = await changeCollaborator(tx, actor, before, {
    set: { deleted_at: null, manager_id: managerId, user_id: userId },
    action: 'restored',
    description: 'Collaborator restored',
    event: 'collaborator.restored',
    payload: (after) => collaboratorEvent(after, fieldsIn(tx)),
  }).catch((error) => {
    const field = violatedField(error);
    throw field ? takenSinceDeletion([field]) : error;
  });
  if (userId) await notifyAccessChanged(tx.raw, { user_id: userId });
  return restored;
}

function takenSinceDeletion(fields: readonly UniqueField[]): Problem {
  if (fields.includes('email'))
    return new Problem(409, 'email_taken', t`Another collaborator uses this email address now.`);
  const message = t`Another collaborator has the same ${allOf(fields)} now. Change it there first.`;
  return new Problem(409, 'conflict', message, {
    details: Object.fromEntries(fields.map((field) => [field, [takenErrors[field]]])),
  });
}

function customValueConflict(taken: FieldErrors): Problem {
  const message = t`Another collaborator has the same ${allOf(Object.keys(taken))} now. Change it there first.`;
  return new Problem(409, 'conflict', message, { details: taken });
}

async function isErased(tx: TenantTransaction, id: string): Promise<boolean> {
  const row = await tx.selectFrom('collaborators').select('erased_at').where('id', '=', id).executeTakeFirstOrThrow();
  return row.erased_at !== null;
}

/** The account may have been erased since. */
async function isUser(tx: TenantTransaction, userId: string): Promise<boolean> {
  const user = await tx.global.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst();
  return user !== undefined;
}

/** Ends a user's membership, and removes the company from their grants. */
export async function revokeAccess(tx: TenantTransaction, userId: string): Promise<void> {
  await removeMembership(tx, userId);
  await revokeCompanyGrants(tx.global, [userId], tx.company_id);
  await requestInstallationApproval(tx, [userId]);
}

/** Moves reports to the next manager above. There may be thousands, so this works in bulk. */
export async function moveReports(tx: CountedTransaction, actor: Actor, leaving: CollaboratorRow): Promise<void> {
  const { id, manager_id: managerId } = leaving;
  const moved = await tx
    .updateTable('collaborators')
    .set({ manager_id: managerId, revision: sql`revision + 1`, updated_at: changeTime })
    .where('manager_id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(collaboratorColumns)
    .execute();
  const changes = [{ field: 'manager_id', from: id, to: managerId }];
  const change = { changed_fields: ['manager_id'], previous: { manager_id: id }, changed_by: actor.user_id };
  for (let at = 0; at < moved.length; at += rowsPerStatement) {
    const chunk = moved.slice(at, at + rowsPerStatement);
    const entries = chunk.map((row) => ({
      collaborator_id: row.id,
      action: 'updated',
      description: 'Changed manager_id, because the manager was deleted',
      changes,
      user_id: actor.user_id,
    }));
    recordEach(tx, entries);
    emitEach(
      tx,
      'collaborator.updated',
      chunk.map((row) => ({ ...collaboratorEvent(row, fieldsIn(tx)), ...change })),
    );
  }
  for (const row of moved) countChange(tx, row, row);
}
