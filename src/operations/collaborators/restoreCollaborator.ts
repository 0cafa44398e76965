import { restoreCollaborator as restore } from '../../collaborators/remove.ts';
import { collaboratorEtag, collaboratorView } from '../../collaborators/view.ts';
import type { Handler } from '../../http/handler.ts';

export const restoreCollaborator: Handler<'restoreCollaborator'> = async (_request, context) => {
  const { tenant, caller, collaborator } = context;
  const row = await restore(tenant, caller, collaborator.id);
  return { status: 200, headers: { ETag: collaboratorEtag(row, context) }, body: collaboratorView(row, context) };
};
