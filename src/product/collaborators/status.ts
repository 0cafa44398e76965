/**
 * The status of a collaborator: pending until they can sign in, active while they may, inactive once they may not.
 *
 * | from             | to       | how                                                        |
 * | pending          | active   | they accept their invitation, or an admin activates them   |
 * | pending, active  | inactive | an admin deactivates them: invitations and access end      |
 * | inactive         | active   | an admin activates them, when they accepted once           |
 * | inactive         | pending  | a new invitation, when they never accepted one             |
 */
import type { components } from '../../../generated/api.ts';
import { Problem } from '../../contract/problem.ts';
import { endCompanyGrants } from '../../identity/grants/grants.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { assertAdminRemains } from './admins.ts';
import { type Actor, type Change, changeCollaborator } from './change-collaborator.ts';
import type { CountedTransaction } from './collaborator-counts.ts';
import { eventSubject } from './collaborator-view.ts';
import { cancelInvitations, newestInvitation } from './invitations.ts';
import { linkUser, linkUsers } from './link-user.ts';
import { changeEach } from './write-many.ts';

export type Status = components['schemas']['CollaboratorStatus'];
type StatusResource = components['schemas']['CollaboratorStatusResource'];

export function allowedTransitions(row: Pick<CollaboratorRow, 'status' | 'accepted_at'>): Status[] {
  if (row.status === 'pending') return ['active', 'inactive'];
  if (row.status === 'active') return ['inactive'];
  return row.accepted_at ? ['active'] : ['pending'];
}

/**
 * Moves a locked row to another status, with everything that goes with it.
 * @throws 409 `invalid_status_transition`, `last_admin`
 */
export async function changeStatus(
  tx: CountedTransaction,
  actor: Actor,
  row: CollaboratorRow,
  to: Status,
  reason: string | null,
): Promise<CollaboratorRow> {
  if (row.status === to) return row;
  if (!allowedTransitions(row).includes(to)) throw invalidTransition(row, to);
  if (to === 'inactive') await assertAdminRemains(tx, row);

  const user_id = to === 'active' ? (row.user_id ?? (await linkUser(tx, row))) : row.user_id;
  const changed = await changeCollaborator(tx, actor, row, statusChange(actor, row, to, reason, user_id));
  await endAccess(tx, to === 'inactive' ? [row] : []);
  if (user_id) await notifyAccessChanged(tx.raw, { user_id });
  return changed;
}

/**
 * Moves many locked rows to other statuses, as `changeStatus` does. The caller has seen that all of them may, and that an
 * admin remains.
 */
export async function changeStatuses(
  tx: CountedTransaction,
  actor: Actor,
  moves: readonly { row: CollaboratorRow; to: Status }[],
): Promise<void> {
  const unlinked = moves.filter(({ row, to }) => to === 'active' && !row.user_id).map(({ row }) => row);
  const users = await linkUsers(tx, unlinked);
  const changes = moves.map(({ row, to }) => {
    const user_id = row.user_id ?? users.get(row.id) ?? null;
    return { before: row, change: statusChange(actor, row, to, null, user_id) };
  });
  const changed = await changeEach(tx, actor, 'collaborator.status_changed', statusColumns, changes);
  await endAccess(
    tx,
    moves.filter(({ to }) => to === 'inactive').map(({ row }) => row),
  );
  const user_ids = changed.flatMap(({ user_id }) => user_id ?? []);
  await notifyAccessChanged(tx.raw, ...user_ids.map((user_id) => ({ user_id })));
}

const statusColumns = {
  status: 'text',
  status_since: 'timestamptz',
  status_reason: 'text',
  status_changed_by: 'uuid',
  user_id: 'uuid',
};

function statusChange(
  actor: Actor,
  row: CollaboratorRow,
  to: Status,
  reason: string | null,
  user_id: string | null,
): Change<'collaborator.status_changed'> {
  return {
    set: {
      status: to,
      status_since: new Date().toISOString(),
      status_reason: reason,
      status_changed_by: actor.user_id,
      user_id,
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

/** Of people who are inactive from now on. */
async function endAccess(tx: TenantTransaction, rows: readonly CollaboratorRow[]): Promise<void> {
  if (rows.length === 0) return;
  const user_ids = rows.flatMap(({ user_id }) => user_id ?? []);
  await cancelInvitations(
    tx,
    rows.map(({ id }) => id),
  );
  await endCompanyGrants(tx.global, user_ids, tx.company_id);
}

export async function statusView(tenant: Tenant, row: CollaboratorRow): Promise<StatusResource> {
  return {
    collaborator_id: row.id,
    status: row.status as Status,
    since: row.status_since,
    reason: row.status_reason,
    changed_by: row.status_changed_by,
    invitation: await newestInvitation(tenant, row.id),
    allowed_transitions: allowedTransitions(row),
  };
}

export function invalidTransition(row: CollaboratorRow, to: Status): Problem {
  const allowed = allowedTransitions(row);
  return new Problem(409, 'invalid_status_transition', `A collaborator who is ${row.status} can not become ${to}.`, {
    details: { from: row.status, to, allowed },
  });
}
