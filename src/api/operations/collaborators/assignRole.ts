import { lockAdmins } from '../../../product/collaborators/membership/admins.ts';
import { renderCollaborator } from '../../../product/collaborators/responses/collaborator-response.ts';
import { changeRole } from '../../../product/collaborators/role.ts';
import { lockCollaborator } from '../../../product/collaborators/write/change-collaborator.ts';
import { counted } from '../../../product/collaborators/write/collaborator-counts.ts';
import type { Handler } from '../../handler.ts';

export const assignRole: Handler<'assignRole'> = async ({ body: { role } }, context) => {
  const { tenant, caller, collaborator } = context;
  const row = await counted(tenant, async (tx) => {
    await lockAdmins(tx);
    return changeRole(tx, caller, await lockCollaborator(tx, collaborator.id), role);
  });
  return renderCollaborator(200, row, context);
};
