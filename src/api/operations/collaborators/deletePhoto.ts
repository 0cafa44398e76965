import { removePhoto } from '../../../product/collaborators/photo.ts';
import { showCollaborator } from '../../../product/collaborators/view/collaborator-view.ts';
import type { Handler } from '../../handler.ts';

export const deletePhoto: Handler<'deletePhoto'> = async (_request, context) => {
  const { tenant, caller, collaborator, files } = context;
  const row = await removePhoto(tenant, caller, collaborator.id, files);
  return showCollaborator(200, row, context);
};
