import { lockAdmins } from '../../collaborators/admins.ts';
import { changeStatus, statusView } from '../../collaborators/status.ts';
import { lockCollaborator } from '../../collaborators/write.ts';
import type { Handler } from '../../http/handler.ts';

export const deactivateCollaborator: Handler<'deactivateCollaborator'> = async ({ body }, context) => {
  const { tenant, caller, collaborator } = context;
  const view = await tenant.transaction(async (tx) => {
    await lockAdmins(tx);
    const row = await lockCollaborator(tx, collaborator.id);
    return statusView(tx, await changeStatus(tx, caller, row, 'inactive', body?.reason ?? null));
  });
  return { status: 200, body: view };
};
