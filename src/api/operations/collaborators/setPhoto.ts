import { photoBytes } from '../../../platform/files/photo-bytes.ts';
import { showCollaborator } from '../../../product/collaborators/collaborator-view.ts';
import { setPhoto as set } from '../../../product/collaborators/photo.ts';
import type { Handler } from '../../handler.ts';

export const setPhoto: Handler<'setPhoto'> = async ({ body }, context) => {
  const { tenant, caller, collaborator, files } = context;
  const row = await set(tenant, caller, collaborator.id, photoBytes(body.photo), files);
  return showCollaborator(200, row, context);
};
