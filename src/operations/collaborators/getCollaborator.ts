import { collaboratorEtag, collaboratorView } from '../../collaborators/view.ts';
import type { Handler } from '../../http/handler.ts';

export const getCollaborator: Handler<'getCollaborator'> = async (_request, context) => {
  const view = collaboratorView(context.collaborator, context);
  return { status: 200, headers: { ETag: collaboratorEtag(view) }, body: view };
};
