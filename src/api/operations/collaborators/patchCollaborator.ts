import { updateCollaborator as update } from '../../../product/collaborators/update-collaborator.ts';
import { showCollaborator } from '../../../product/collaborators/view/collaborator-view.ts';
import type { Handler } from '../../handler.ts';

export const patchCollaborator: Handler<'patchCollaborator'> = async ({ body, ifMatch }, context) => {
  const row = await update(context.tenant, context, context.collaborator.id, body, ifMatch);
  return showCollaborator(200, row, context);
};
