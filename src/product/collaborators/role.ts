import type { Role } from '../../identity/members/member.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { limitsOf, requireWithinLimits } from '../access/installation-limits.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { followInstaller, installersAmong } from '../connections/installer-role.ts';
import { assertAdminRemains } from './membership/admins.ts';
import { eventSubject } from './responses/collaborator-response.ts';
import { type Actor, type Change, changeCollaborator } from './write/change-collaborator.ts';
import type { CountedTransaction } from './write/collaborator-counts.ts';
import { changeEach } from './write/write-many.ts';

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
  const after = await changeCollaborator(tx, actor, before, roleChange(actor, before, role));
  if (after.user_id) {
    await notifyAccessChanged(tx.raw, { user_id: after.user_id });
    await followInstaller(tx, actor, after.user_id, { from: before.role as Role, to: role });
  }
  return after;
}

interface RoleMove {
  /** Locked. */
  before: CollaboratorRow;
  to: Role;
}

const batchSize = 1_000;

/** The same for any number of people, whose roles all differ. @throws like `changeRole` */
export async function changeRoles(tx: CountedTransaction, actor: Actor, moves: readonly RoleMove[]): Promise<void> {
  const limits = await limitsOf(tx, actor.user_id);
  for (const { before, to } of moves) requireWithinLimits(limits, before, { role: to });
  // First the promotions: one of them may be the admin who remains.
  const leaving = moves.filter(({ before, to }) => before.role === 'admin' && to !== 'admin');
  await changeInBatches(
    tx,
    actor,
    moves.filter((move) => !leaving.includes(move)),
  );
  await assertAdminRemains(tx, ...leaving.map(({ before }) => before));
  await changeInBatches(tx, actor, leaving);
}

async function changeInBatches(tx: CountedTransaction, actor: Actor, moves: readonly RoleMove[]): Promise<void> {
  for (let from = 0; from < moves.length; from += batchSize) {
    const batch = moves.slice(from, from + batchSize);
    const changes = batch.map(({ before, to }) => ({ before, change: roleChange(actor, before, to) }));
    await changeEach(tx, actor, 'collaborator.role_changed', { role: 'text' }, changes);
    const users = batch.flatMap(({ before, to }) => {
      return before.user_id ? [{ id: before.user_id, move: { from: before.role as Role, to } }] : [];
    });
    const userIds = users.map(({ id }) => id);
    await notifyAccessChanged(tx.raw, ...userIds.map((userId) => ({ user_id: userId })));
    const installers = await installersAmong(tx, userIds);
    for (const { id, move } of users) {
      if (move.from === 'admin' || installers.has(id)) await followInstaller(tx, actor, id, move);
    }
  }
}

function roleChange(actor: Actor, before: CollaboratorRow, role: Role): Change<'collaborator.role_changed'> {
  return {
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
  };
}
