/** Changing a collaborator: only what is sent, only what differs. PUT and PATCH mean the same (see the contract). */
import type { Updateable } from 'kysely';
import type { Collaborators } from '../../../generated/db.ts';
import { say } from '../../contract/languages/text.ts';
import { type FieldErrors, validationError } from '../../contract/problem.ts';
import type { Member, Viewer } from '../../identity/members/member.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { hiddenFields } from '../access/hidden-fields.ts';
import { limitsOf, requireWithinLimits } from '../access/installation-limits.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { fieldsIn, lockedFields } from '../custom-fields/in-transaction.ts';
import { changedValues } from '../custom-fields/sent-values.ts';
import { takenAfter } from '../custom-fields/unique-values.ts';
import { lockAdmins } from './admins.ts';
import { type Actor, changeCollaborator, lockCollaborator } from './change-collaborator.ts';
import { type CountedTransaction, counted } from './collaborator-counts.ts';
import { collaboratorEtag } from './collaborator-view.ts';
import { askToConfirm } from './confirm-address.ts';
import { type CollaboratorUpdate, differences, profileChange } from './differences.ts';
import { dateFaults } from './employment-dates.ts';
import { lockHierarchy, managerFault } from './hierarchy.ts';
import { cancelInvitations } from './invitations.ts';
import { requireMatch } from './preconditions.ts';
import { changeStatus, invalidTransition, settableStatuses } from './status.ts';
import { takenBy, takenFaults, takenFields } from './unique-fields.ts';

/**
 * @param ifMatch tags of the versions that the caller means; undefined for any
 * @throws 400 with every rule of the database that would break, 403 for an installation that may not, 404, 409 of a change of status, 412
 */
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
    const ofCompany = values && (await lockedFields(tx));
    const before = await lockCollaborator(tx, id);
    const sent = ofCompany && changedValues(ofCompany, viewer, before, values);
    const set = differences(before, { ...fields, custom_fields: sent?.values }, hiddenFields(viewer, before.id));
    const errors = { ...(await faults(tx, viewer.member, before, set)), ...sent?.faults };
    if (ofCompany) Object.assign(errors, await takenAfter(tx, ofCompany, before, set));
    if (Object.keys(errors).length > 0) throw validationError(errors);
    requireMatch(ifMatch, collaboratorEtag(before, viewer));
    const limits = viewer.member.isInstallation ? await limitsOf(tx, viewer.caller.user_id) : undefined;
    requireWithinLimits(limits, before, { ...set, status: status === before.status ? undefined : status } as Limited);

    const row = Object.keys(set).length > 0 ? await changeFields(tx, viewer.caller, before, set) : before;
    if (status === undefined || status === row.status) return row;
    const settable = settableStatuses(row);
    if (!settable.includes(status)) throw invalidTransition(row, status, settable);
    return changeStatus(tx, viewer.caller, row, status, null);
  });
}

type Limited = Parameters<typeof requireWithinLimits>[2];

async function faults(
  tx: TenantTransaction,
  member: Member,
  row: CollaboratorRow,
  set: Updateable<Collaborators>,
): Promise<FieldErrors> {
  const errors: FieldErrors = { ...dateFaults(row, set), ...(await takenFields(tx, set, row.id)) };
  if (set.manager_id === null && member.role !== 'admin') {
    errors.manager_id = [{ code: 'not_clearable', message: say`Only an admin may leave someone without a manager.` }];
  } else if (typeof set.manager_id === 'string') {
    const fault = await managerFault(tx, member, row, set.manager_id);
    if (fault) errors.manager_id = [fault];
  }
  return errors;
}

async function changeFields(
  tx: CountedTransaction,
  actor: Actor,
  before: CollaboratorRow,
  set: Updateable<Collaborators>,
): Promise<CollaboratorRow> {
  // A link that was mailed to another address must not let its reader in.
  if (set.email !== undefined) await cancelInvitations(tx, [before.id]);
  const row = await changeCollaborator(tx, actor, before, profileChange(actor, before, set, fieldsIn(tx))).catch(
    (error) => {
      const field = takenBy(error);
      throw field ? validationError({ [field]: [takenFaults[field]] }) : error;
    },
  );
  if (set.email !== undefined) await askToConfirm(tx, [row]);
  return row;
}
