import { removePhoto } from '../../collaborators/photo.ts';
import { showCollaborator } from '../../collaborators/view.ts';
import type { Handler } from '../../http/handler.ts';

export const deletePhoto: Handler<'deletePhoto'> = async (_request, context) => {
  const { tenant, caller, collaborator, files } = context;
  const row = await removePhoto(tenant, caller, collaborator.id, files);
  return showCollaborator(200, row, context);
};
