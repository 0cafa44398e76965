import { notifyAccessChanged } from '../../../platform/notify/listen.ts';
import { assertAdminRemains, lockAdmins } from '../../../product/collaborators/admins.ts';
import { changeCollaborator, lockCollaborator } from '../../../product/collaborators/change-collaborator.ts';
import { counted } from '../../../product/collaborators/collaborator-counts.ts';
import { eventSubject, showCollaborator } from '../../../product/collaborators/collaborator-view.ts';
import type { Handler } from '../../handler.ts';

export const assignRole: Handler<'assignRole'> = async ({ body: { role } }, context) => {
  const { tenant, caller, collaborator } = context;
  const row = await counted(tenant, async (tx) => {
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
