import { changeStatus, statusResponse } from '../../../product/collaborators/status.ts';
import { lockCollaborator } from '../../../product/collaborators/write/change-collaborator.ts';
import { counted } from '../../../product/collaborators/write/collaborator-counts.ts';
import type { Handler } from '../../handler.ts';

export const activateCollaborator: Handler<'activateCollaborator'> = async ({ body }, context) => {
  const { tenant, caller, collaborator } = context;
  const view = await counted(tenant, async (tx) => {
    const row = await lockCollaborator(tx, collaborator.id);
    return statusResponse(tx, await changeStatus(tx, caller, row, 'active', body?.reason ?? null));
  });
  return { status: 200, body: view };
};
