/** Changes (PUT, PATCH) or removes a directory's person. */

import { isDeepStrictEqual } from 'node:util';
import { sql, type UpdateObject } from 'kysely';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { TenantTables } from '../../../platform/tenancy/tables.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { lockHierarchy } from '../../collaborators/fields/hierarchy.ts';
import { lockAdmins } from '../../collaborators/membership/admins.ts';
import { deleteLocked } from '../../collaborators/remove-collaborator.ts';
import { changeStatus } from '../../collaborators/status.ts';
import { statusReasons } from '../../collaborators/status-reasons.ts';
import { lockCollaborator } from '../../collaborators/write/change-collaborator.ts';
import type { CountedTransaction } from '../../collaborators/write/collaborator-counts.ts';
import { inviteAdded } from '../../invitations/send-invitation.ts';
import type { Attributes } from '../attributes.ts';
import type { DirectoryContext } from '../directory-context.ts';
import { applyRoles } from '../groups/group-roles.ts';
import { changedConcurrently, noSuchResource } from '../scim-problem.ts';
import {
  applyActive,
  applyProfile,
  asScimProblem,
  type FoundManager,
  findManager,
  managerErrorOf,
  splitAttributes,
} from './apply-attributes.ts';
import { awaitReturn, peopleAwaiting, setManager } from './awaited-managers.ts';
import { manage, release } from './managed-people.ts';
import { mappedFields, mappedNames, mappedValues } from './mapped-values.ts';
import { findPerson, type PersonWithStatus } from './person-rows.ts';
import { fieldsToChange, profileOf } from './profile.ts';
import { personVersion } from './user-response.ts';

type NewAttributes = (before: Attributes) => Attributes;

/**
 * @returns whether anything changed
 * @throws 400 and 409 of collaborators, and SCIM's: 404, 409, 412
 */
export async function changePerson(
  tx: CountedTransaction,
  context: DirectoryContext,
  id: string,
  transform: NewAttributes,
  expected: readonly string[] | undefined,
): Promise<boolean> {
  const { directory, actor, postage } = context;
  const mapped = await mappedFields(tx, context);
  const { person, row } = await lockPerson(tx, context, id, expected);
  const before = {
    ...person.attributes,
    userName: person.user_name,
    ...(person.external_id !== null && { externalId: person.external_id }),
  };
  const sent = transform(before);
  const { user_name: userName, external_id: externalId, active, attributes } = splitAttributes(sent);
  const [earlier, profile] = [profileOf(before), profileOf(sent)];
  const manager = await managerToSet(tx, context, person, row, { earlier: earlier.manager, sent: profile.manager });

  const isDeactivation =
    active === false && isDeepStrictEqual({ ...sent, active: undefined }, { ...before, active: undefined });
  const key = row.external_id === person.external_id ? { external_id: externalId } : {};
  const fieldsSent = () => ({
    ...fieldsToChange(earlier, profile, directory, key),
    manager_id: manager.manager_id,
    custom_fields: mappedValues(mapped, sent, before, row),
  });
  // Invalid stored values must not prevent a deactivation.
  const changed = isDeactivation ? row : await applyProfile(tx, actor, row, fieldsSent());
  const settled = await applyActive(tx, actor, changed, active);
  await manage(tx, directory.id, settled, { profile, external_id: externalId, active, own: mappedNames(mapped, sent) });
  // Changing the address canceled the invitation.
  const needsInvitation = settled !== changed || settled.email !== row.email;
  if (needsInvitation && directory.on_create === 'invite') await inviteAdded(tx, actor, [settled], postage);
  const isSame =
    userName === person.user_name &&
    externalId === person.external_id &&
    manager.awaited_manager === person.awaited_manager &&
    isDeepStrictEqual(attributes, person.attributes);
  if (!isSame) {
    const set = {
      user_name: userName,
      external_id: externalId,
      attributes: JSON.stringify(attributes),
      awaited_manager: manager.awaited_manager,
    };
    await update(tx, context, id, set);
    const isRenamed = userName !== person.user_name || externalId !== person.external_id;
    const waiting = isRenamed ? await peopleAwaiting(tx, directory.id, set) : [];
    for (const { collaborator_id: waitingId } of waiting) await setManager(tx, context, waitingId, row.id);
  }
  return !isSame || settled !== row;
}

/** An unchanged manager attribute neither clears the current manager nor prevents other changes, such as a deactivation. */
async function managerToSet(
  tx: TenantTransaction,
  { directory }: DirectoryContext,
  person: PersonWithStatus,
  row: CollaboratorRow,
  { earlier, sent }: { earlier: string | undefined; sent: string | undefined },
): Promise<FoundManager> {
  const isSame = sent === earlier;
  const found = await findManager(tx, directory.id, sent, earlier !== undefined && !isSame);
  const { manager_id: managerId, awaited_manager: awaited } = found;
  if (!isSame) return found;
  const isUnfit = managerId && managerId !== row.manager_id && (await managerErrorOf(tx, row.id, managerId));
  return {
    manager_id: isUnfit ? undefined : managerId,
    awaited_manager: awaited && (person.awaited_manager ?? awaited),
  };
}

/** @throws 404, 409 `last_admin`, 412 */
export async function removePerson(
  tx: CountedTransaction,
  context: DirectoryContext,
  id: string,
  expected: readonly string[] | undefined,
): Promise<void> {
  const { directory, actor } = context;
  const { row } = await lockPerson(tx, context, id, expected);
  const groups = tx.selectFrom('directory_groups').select('id').where('directory_id', '=', directory.id);
  await tx
    .deleteFrom('directory_members')
    .where('collaborator_id', '=', row.id)
    .where('group_id', 'in', groups)
    .execute();
  await applyRoles(tx, context, [row.id]);
  const locked = await lockCollaborator(tx, row.id);
  if (directory.on_delete === 'delete') {
    await awaitReturn(tx, locked);
    await deleteLocked(tx, actor, locked);
  } else if (locked.status !== 'inactive')
    await changeStatus(tx, actor, locked, 'inactive', statusReasons.removed_from_directory);
  await release(tx, [row.id]);
  await update(tx, context, row.id, { removed_at: sql<string>`now()`, awaited_manager: null });
}

async function update(
  tx: CountedTransaction,
  { directory }: DirectoryContext,
  id: string,
  set: UpdateObject<TenantTables, 'directory_people'>,
): Promise<void> {
  const all = { ...set, revision: sql<number>`revision + 1`, updated_at: sql<string>`now()` };
  await tx
    .updateTable('directory_people')
    .set(all)
    .where('directory_id', '=', directory.id)
    .where('collaborator_id', '=', id)
    .execute()
    .catch((error) => {
      throw asScimProblem(error);
    });
}

/** @throws 404, 412 */
async function lockPerson(
  tx: CountedTransaction,
  { directory }: DirectoryContext,
  id: string,
  expected: readonly string[] | undefined,
): Promise<{ person: PersonWithStatus; row: CollaboratorRow }> {
  await lockHierarchy(tx);
  await lockAdmins(tx);
  const found = await findPerson(tx, directory.id, id);
  if (!found) throw noSuchResource();
  const row = await lockCollaborator(tx, found.collaborator_id);
  const person = await findPerson(tx, directory.id, id); // again, under the lock
  if (!person) throw noSuchResource();
  if (expected && !expected.includes(personVersion(person))) throw changedConcurrently();
  return { person, row };
}
