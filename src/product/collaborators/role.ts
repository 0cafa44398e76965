import type { Role } from '../../identity/members/member.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { limitsOf, requireWithinLimits } from '../access/installation-limits.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { followInstaller } from '../connections/installer-role.ts';
import { assertAdminRemains } from './membership/admins.ts';
import { eventSubject } from './responses/collaborator-response.ts';
import { type Actor, changeCollaborator } from './write/change-collaborator.ts';
import type { CountedTransaction } from './write/collaborator-counts.ts';

/** Changes the role of a locked collaborator. @throws 403 for an installation beyond its limits, 409 `last_admin` */
export async function changeRole(
  tx: CountedTransaction,
  actor: Actor,
  before: CollaboratorRow,
  role: Role,
): Promise<CollaboratorRow> {
  if (before.role === role) return before;
  requireWithinLimits(await limitsOf(tx, actor.user_id), before, { role });
  await assertAdminRemains(tx, before);
  const after = await changeCollaborator(tx, actor, before, {
    set: { role },
    action: 'role_changed',
    description: `Role changed from ${before.role} to ${role}`,
    event: 'collaborator.role_changed',
    payload: (after) => ({
      ...eventSubject(after),
      from: before.role as Role,
      to: role,
      changed_by: actor.user_id,
      changed_at: after.updated_at,
    }),
  });
  if (after.user_id) {
    await notifyAccessChanged(tx.raw, { user_id: after.user_id });
    await followInstaller(tx, actor, after.user_id, { from: before.role as Role, to: role });
  }
  return after;
}
