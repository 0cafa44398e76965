import { removePhoto } from '../../collaborators/photo.ts';
import { collaboratorEtag, collaboratorView } from '../../collaborators/view.ts';
import type { Handler } from '../../http/handler.ts';

export const deletePhoto: Handler<'deletePhoto'> = async (_request, context) => {
  const { tenant, caller, collaborator, files } = context;
  const row = await removePhoto(tenant, caller, collaborator.id, files);
  return { status: 200, headers: { ETag: collaboratorEtag(row, context) }, body: collaboratorView(row, context) };
};
