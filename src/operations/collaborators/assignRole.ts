import { assertAdminRemains, lockAdmins } from '../../collaborators/admins.ts';
import { eventSubject, showCollaborator } from '../../collaborators/view.ts';
import { changeCollaborator, lockCollaborator } from '../../collaborators/write.ts';
import { notifyAccessChanged } from '../../db/listen.ts';
import type { Handler } from '../../http/handler.ts';

export const assignRole: Handler<'assignRole'> = async ({ body: { role } }, context) => {
  const { tenant, caller, collaborator } = context;
  const row = await tenant.transaction(async (tx) => {
    await lockAdmins(tx);
    const before = await lockCollaborator(tx, collaborator.id);
    if (before.role === role) return before;
    await assertAdminRemains(tx, before);
    const after = await changeCollaborator(tx, caller, before, {
      set: { role },
      action: 'role_changed',
      description: `Role changed from ${before.role} to ${role}`,
      event: 'collaborator.role_changed',
      payload: (after) => ({
        ...eventSubject(after),
        from: before.role as typeof role,
        to: role,
        changed_by: caller.user_id,
        changed_at: after.updated_at,
      }),
    });
    if (after.user_id) await notifyAccessChanged(tx.raw, { user_id: after.user_id });
    return after;
  });
  return showCollaborator(200, row, context);
};
