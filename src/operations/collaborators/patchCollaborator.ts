import { updateCollaborator as update } from '../../collaborators/update.ts';
import { collaboratorEtag, collaboratorView } from '../../collaborators/view.ts';
import type { Handler } from '../../http/handler.ts';

export const patchCollaborator: Handler<'patchCollaborator'> = async ({ body, headers }, context) => {
  const row = await update(context.tenant, context, context.collaborator.id, body, headers['if-match']);
  return { status: 200, headers: { ETag: collaboratorEtag(row, context) }, body: collaboratorView(row, context) };
};
