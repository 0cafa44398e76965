import { updateCollaborator as update } from '../../collaborators/update.ts';
import { showCollaborator } from '../../collaborators/view.ts';
import type { Handler } from '../../http/handler.ts';

export const patchCollaborator: Handler<'patchCollaborator'> = async ({ body, headers }, context) => {
  const row = await update(context.tenant, context, context.collaborator.id, body, headers['if-match']);
  return showCollaborator(200, row, context);
};
