/**
 * The status of a collaborator's record: pending at first, active while the person works here, inactive afterwards.
 *
 * | from             | to       | how                                                        |
 * | pending          | active   | they accept their invitation, or an admin activates them   |
 * | pending, active  | inactive | an admin deactivates them: invitations and access end      |
 * | inactive         | active   | an admin activates them                                    |
 * | inactive         | pending  | a new invitation by an admin, if they never accepted one   |
 * | pending, active  | inactive | their last day of employment has passed                    |
 *
 * The status alone gives no one access: only an accepted invitation links a user to a collaborator (see
 * `product/invitations/accept-invitation.ts`). Otherwise an admin could make anybody a member of their company without their
 * knowledge, by entering their address.
 */
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { revokeCompanyGrants } from '../../identity/grants/grants.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { limitsOf, requireWithinLimits } from '../access/installation-limits.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { requestInstallationApproval } from '../connections/installer-departure.ts';
import { fieldsIn } from '../custom-fields/in-transaction.ts';
import { emitEach } from '../events/emit.ts';
import { companyDay, hasEnded, hasLeft } from './fields/employment-dates.ts';
import { refuseManaged } from './fields/managed-fields.ts';
import { assertAdminRemains } from './membership/admins.ts';
import { cancelInvitations, newestInvitation } from './membership/invitations.ts';
import { collaboratorEvent, eventSubject } from './responses/collaborator-response.ts';
import { type Actor, type Change, changeCollaborator } from './write/change-collaborator.ts';
import type { CountedTransaction } from './write/collaborator-counts.ts';
import { changeEach } from './write/write-many.ts';

export type Status = components['schemas']['CollaboratorStatus'];
type StatusResource = components['schemas']['CollaboratorStatusResource'];

function allowedTransitions(row: Pick<CollaboratorRow, 'status' | 'accepted_at'>): Status[] {
  if (row.status === 'pending') return ['active', 'inactive'];
  if (row.status === 'active') return ['inactive'];
  return row.accepted_at ? ['active'] : ['active', 'pending'];
}

/**
 * Changes the status of a locked row, with all consequences.
 * @throws 403 for an installation beyond its limits, 409 `invalid_status_transition`, `managed_by_directory`, `last_admin`
 */
export async function changeStatus(
  tx: CountedTransaction,
  actor: Actor,
  row: CollaboratorRow,
  to: Status,
  reason: string | null,
): Promise<CollaboratorRow> {
  if (row.status === to) return row;
  requireWithinLimits(await limitsOf(tx, actor.user_id), row, { status: to });
  if (!allowedTransitions(row).includes(to)) throw invalidTransition(row, to);
  // Ending access must not depend on a provider.
  if (to !== 'inactive' && actor.user_id !== row.managed_by) await refuseManaged(tx, row, ['status']);
  if (to === 'inactive') await assertAdminRemains(tx, row);

  const [today] = await todayIfNeeded(tx, [{ row, to }]);
  const changed = await changeCollaborator(tx, actor, row, statusChange(actor, row, to, reason, today));
  emitCleared(tx, actor, [[row, changed]]);
  await revokeAccess(tx, to === 'inactive' ? [row] : []);
  if (row.user_id) await notifyAccessChanged(tx.raw, { user_id: row.user_id });
  return changed;
}

/** The caller has checked that all transitions are allowed and that an admin remains. */
export async function changeStatuses(tx: CountedTransaction, actor: Actor, moves: readonly Move[]): Promise<void> {
  const [today] = await todayIfNeeded(tx, moves);
  const changes = moves.map(({ row, to, reason = null }) => {
    return { before: row, change: statusChange(actor, row, to, reason, today) };
  });
  const changed = await changeEach(tx, actor, 'collaborator.status_changed', statusColumns, changes);
  await revokeAccess(
    tx,
    moves.filter(({ to }) => to === 'inactive').map(({ row }) => row),
  );
  emitCleared(
    tx,
    actor,
    changed.map((after, at) => [moves[at]!.row, after]),
  );
  const userIds = changed.flatMap(({ user_id: userId }) => userId ?? []);
  await notifyAccessChanged(tx.raw, ...userIds.map((userId) => ({ user_id: userId })));
}

interface Move {
  row: CollaboratorRow;
  to: Status;
  reason?: string;
}

const statusColumns = {
  status: 'text',
  termination_date: 'date',
  status_since: 'timestamptz',
  status_reason: 'text',
  status_changed_by: 'uuid',
};

function statusChange(
  actor: Actor,
  row: CollaboratorRow,
  to: Status,
  reason: string | null,
  today: string | undefined,
): Change<'collaborator.status_changed'> {
  return {
    set: {
      status: to,
      // A past last day would deactivate them again.
      ...(to !== 'inactive' && hasEnded(row, today) && { termination_date: null }),
      status_since: new Date().toISOString(),
      status_reason: reason,
      status_changed_by: actor.user_id,
    },
    action: 'status_changed',
    description: `Status changed from ${row.status} to ${to}`,
    event: 'collaborator.status_changed',
    payload: (after) => ({
      ...eventSubject(after),
      from: row.status as Status,
      to,
      reason,
      changed_by: actor.user_id,
      changed_at: after.status_since,
    }),
  };
}

/** The company's current date, if needed: for a person with a last day who isn't deactivated. */
async function todayIfNeeded(tx: TenantTransaction, moves: readonly Move[]): Promise<string[]> {
  const needsDate = moves.some(({ row, to }) => to !== 'inactive' && row.termination_date !== null);
  return needsDate ? [await companyDay(tx)] : [];
}

function emitCleared(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly (readonly [before: CollaboratorRow, after: CollaboratorRow])[],
): void {
  const cleared = changes.filter(([before, after]) => before.termination_date !== after.termination_date);
  emitEach(
    tx,
    'collaborator.updated',
    cleared.map(([{ termination_date: terminationDate }, after]) => ({
      ...collaboratorEvent(after, fieldsIn(tx)),
      changed_fields: ['termination_date'],
      previous: { termination_date: terminationDate },
      changed_by: actor.user_id,
    })),
  );
}

async function revokeAccess(tx: TenantTransaction, rows: readonly CollaboratorRow[]): Promise<void> {
  if (rows.length === 0) return;
  const userIds = rows.flatMap(({ user_id: userId }) => userId ?? []);
  await cancelInvitations(
    tx,
    rows.map(({ id }) => id),
  );
  await revokeCompanyGrants(tx.global, userIds, tx.company_id);
  await requestInstallationApproval(tx, userIds);
}

export async function statusResponse(tenant: Tenant, row: CollaboratorRow): Promise<StatusResource> {
  const allowed = allowedTransitions(row);
  const invitation = await newestInvitation(tenant, row.id);
  const isInvitable = !allowed.includes('pending') || !(await hasLeft(tenant, row));
  return {
    collaborator_id: row.id,
    status: row.status as Status,
    since: row.status_since,
    reason: row.status_reason,
    changed_by: row.status_changed_by,
    invitation: { ...invitation, state: invitationState(row, invitation.state) },
    allowed_transitions: isInvitable ? allowed : allowed.filter((to) => to !== 'pending'),
  };
}

type InvitationState = StatusResource['invitation']['state'];

/** People also join without an invitation, as the first admin or by a provider, and leave after they accepted one. */
function invitationState({ user_id: userId }: CollaboratorRow, newest: InvitationState): InvitationState {
  if (userId) return 'accepted';
  return newest === 'accepted' ? 'cancelled' : newest;
}

/** The statuses an update may set: `pending` requires an invitation. */
export function settableStatuses(row: Pick<CollaboratorRow, 'status' | 'accepted_at'>): Status[] {
  return allowedTransitions(row).filter((to) => to !== 'pending');
}

export function invalidTransition(row: CollaboratorRow, to: Status, allowed = allowedTransitions(row)): Problem {
  return new Problem(409, 'invalid_status_transition', t`A collaborator who is ${row.status} can't become ${to}.`, {
    details: { from: row.status, to, allowed },
  });
}
