import { restoreCollaborator as restore } from '../../../product/collaborators/remove-collaborator.ts';
import { showCollaborator } from '../../../product/collaborators/view/collaborator-view.ts';
import type { Handler } from '../../handler.ts';

export const restoreCollaborator: Handler<'restoreCollaborator'> = async (_request, context) => {
  const { tenant, caller, collaborator, quotas } = context;
  await quotas.require(tenant, 'people', 1);
  const row = await restore(tenant, caller, collaborator.id);
  return showCollaborator(200, row, context);
};
