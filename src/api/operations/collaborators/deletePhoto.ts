import { removePhoto } from '../../../product/collaborators/photo.ts';
import { renderCollaborator } from '../../../product/collaborators/responses/collaborator-response.ts';
import type { Handler } from '../../handler.ts';

export const deletePhoto: Handler<'deletePhoto'> = async (_request, context) => {
  const { tenant, caller, collaborator, files } = context;
  const row = await removePhoto(tenant, caller, collaborator.id, files);
  return renderCollaborator(200, row, context);
};
