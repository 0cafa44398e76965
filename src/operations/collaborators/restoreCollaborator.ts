import { restoreCollaborator as restore } from '../../collaborators/remove.ts';
import { showCollaborator } from '../../collaborators/view.ts';
import type { Handler } from '../../http/handler.ts';

export const restoreCollaborator: Handler<'restoreCollaborator'> = async (_request, context) => {
  const { tenant, caller, collaborator } = context;
  const row = await restore(tenant, caller, collaborator.id);
  return showCollaborator(200, row, context);
};
