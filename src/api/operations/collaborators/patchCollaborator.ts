import { renderCollaborator } from '../../../product/collaborators/responses/collaborator-response.ts';
import { updateCollaborator as update } from '../../../product/collaborators/update-collaborator.ts';
import type { Handler } from '../../handler.ts';

export const patchCollaborator: Handler<'patchCollaborator'> = async ({ body, ifMatch }, context) => {
  const row = await update(context.tenant, context, context.collaborator.id, body, ifMatch);
  return renderCollaborator(200, row, context);
};
