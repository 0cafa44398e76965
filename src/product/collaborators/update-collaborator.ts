/** Updates a collaborator: only sent fields, and only if they differ. PUT and PATCH are equivalent (see the contract). */
import type { Updateable } from 'kysely';
import type { Collaborators } from '../../../generated/db.ts';
import { t } from '../../contract/languages/text.ts';
import { type FieldErrors, validationError } from '../../contract/problem.ts';
import type { Member, Viewer } from '../../identity/members/member.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { hiddenFields } from '../access/hidden-fields.ts';
import { limitsOf, requireWithinLimits } from '../access/installation-limits.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { fieldsIn, lockedFields } from '../custom-fields/in-transaction.ts';
import { changedValues } from '../custom-fields/sent-values.ts';
import { takenValueErrors } from '../custom-fields/unique-values.ts';
import { dateErrors } from './fields/employment-dates.ts';
import { lockHierarchy, managerError } from './fields/hierarchy.ts';
import { refuseManaged } from './fields/managed-fields.ts';
import { requireMatch } from './fields/preconditions.ts';
import { takenErrors, takenFields, violatedField } from './fields/unique-fields.ts';
import { lockAdmins } from './membership/admins.ts';
import { cancelInvitations } from './membership/invitations.ts';
import { collaboratorEtag } from './responses/collaborator-response.ts';
import { changeStatus, invalidTransition, settableStatuses } from './status.ts';
import { type Actor, changeCollaborator, lockCollaborator } from './write/change-collaborator.ts';
import { type CountedTransaction, counted } from './write/collaborator-counts.ts';
import { requestAddressConfirmation } from './write/confirm-address.ts';
import { type CollaboratorUpdate, changedNames, differences, profileChange } from './write/differences.ts';

/** @throws 400 with every violated database rule, 403 for an installation beyond its limits, 404, 409 for a status change or `managed_by_directory`, 412 */
export async function updateCollaborator(
  tenant: Tenant,
  viewer: Viewer & { caller: Actor },
  id: string,
  update: CollaboratorUpdate,
  ifMatch: readonly string[] | undefined,
): Promise<CollaboratorRow> {
  const { status, custom_fields: values, ...fields } = update;
  return counted(tenant, async (tx) => {
    if (fields.manager_id) await lockHierarchy(tx);
    if (status) await lockAdmins(tx);
    const customFields = values && (await lockedFields(tx));
    const before = await lockCollaborator(tx, id);
    const sent = customFields && changedValues(customFields, viewer, before, values);
    const set = differences(before, { ...fields, custom_fields: sent?.values }, hiddenFields(viewer, before.id));
    const errors = { ...(await fieldErrors(tx, viewer.member, before, set)), ...sent?.errors };
    if (customFields) Object.assign(errors, await takenValueErrors(tx, customFields, before, set));
    if (Object.keys(errors).length > 0) throw validationError(errors);
    requireMatch(ifMatch, collaboratorEtag(before, viewer));
    const limits = viewer.member.isInstallation ? await limitsOf(tx, viewer.caller.user_id) : undefined;
    requireWithinLimits(limits, before, {
      ...set,
      status: status === before.status ? undefined : status,
    } as LimitedChange);
    await refuseManaged(tx, before, changedNames(before, set));

    const row = Object.keys(set).length > 0 ? await changeProfile(tx, viewer.caller, before, set) : before;
    if (status === undefined || status === row.status) return row;
    const settable = settableStatuses(row);
    if (!settable.includes(status)) throw invalidTransition(row, status, settable);
    return changeStatus(tx, viewer.caller, row, status, null);
  });
}

type LimitedChange = Parameters<typeof requireWithinLimits>[2];

async function fieldErrors(
  tx: TenantTransaction,
  member: Member,
  row: CollaboratorRow,
  set: Updateable<Collaborators>,
): Promise<FieldErrors> {
  const errors: FieldErrors = { ...dateErrors(row, set), ...(await takenFields(tx, set, row.id)) };
  if (set.manager_id === null && member.role !== 'admin') {
    errors.manager_id = [{ code: 'not_clearable', message: t`Only an admin may leave someone without a manager.` }];
  } else if (typeof set.manager_id === 'string') {
    const error = await managerError(tx, member, row, set.manager_id);
    if (error) errors.manager_id = [error];
  }
  return errors;
}

/**
 * Writes the result of `differences` to a locked row, with the consequences of a new address.
 * @throws 400 `taken` after a concurrent change
 */
export async function changeProfile(
  tx: CountedTransaction,
  actor: Actor,
  before: CollaboratorRow,
  set: Updateable<Collaborators>,
): Promise<CollaboratorRow> {
  // A link mailed to the old address must not admit its reader.
  if (set.email !== undefined) await cancelInvitations(tx, [before.id]);
  const row = await changeCollaborator(tx, actor, before, profileChange(actor, before, set, fieldsIn(tx))).catch(
    (error) => {
      const field = violatedField(error);
      throw field ? validationError({ [field]: [takenErrors[field]] }) : error;
    },
  );
  if (set.email !== undefined) await requestAddressConfirmation(tx, [row]);
  return row;
}
