/**
 * The status of a collaborator: pending until they can sign in, active while they may, inactive once they may not.
 *
 * | from             | to       | how                                                        |
 * | pending          | active   | they accept their invitation, or an admin activates them   |
 * | pending, active  | inactive | an admin deactivates them: invitations and access end      |
 * | inactive         | active   | an admin activates them, when they accepted once           |
 * | inactive         | pending  | a new invitation, when they never accepted one             |
 */
import type { components } from '../../generated/api.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { notifyAccessChanged } from '../db/listen.ts';
import type { Tenant, TenantTransaction } from '../db/tenant.ts';
import { Problem } from '../errors.ts';
import { endCompanyGrants } from '../oauth/grants.ts';
import { assertAdminRemains } from './admins.ts';
import { cancelInvitations, newestInvitation } from './invitations.ts';
import { linkUser } from './link-user.ts';
import { eventSubject } from './view.ts';
import { type Actor, changeCollaborator } from './write.ts';

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
  tx: TenantTransaction,
  actor: Actor,
  row: CollaboratorRow,
  to: Status,
  reason: string | null,
): Promise<CollaboratorRow> {
  if (row.status === to) return row;
  if (!allowedTransitions(row).includes(to)) throw invalidTransition(row, to);
  if (to === 'inactive') await assertAdminRemains(tx, row);

  const user_id = to === 'active' ? (row.user_id ?? (await linkUser(tx, row))) : row.user_id;
  const changed = await changeCollaborator(tx, actor, row, {
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
  });
  if (to === 'inactive') {
    await cancelInvitations(tx, row.id);
    if (row.user_id) await endCompanyGrants(tx.global, row.user_id, tx.company_id);
  }
  if (user_id) await notifyAccessChanged(tx.raw, { user_id });
  return changed;
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
