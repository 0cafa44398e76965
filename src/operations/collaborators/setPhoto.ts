import { setPhoto as set } from '../../collaborators/photo.ts';
import { showCollaborator } from '../../collaborators/view.ts';
import { photoBytes } from '../../files/photo-bytes.ts';
import type { Handler } from '../../http/handler.ts';

export const setPhoto: Handler<'setPhoto'> = async ({ body }, context) => {
  const { tenant, caller, collaborator, files } = context;
  const row = await set(tenant, caller, collaborator.id, photoBytes(body.photo), files);
  return showCollaborator(200, row, context);
};
