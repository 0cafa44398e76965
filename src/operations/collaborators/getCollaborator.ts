import { isUnmodified } from '../../collaborators/preconditions.ts';
import { collaboratorEtag, collaboratorView } from '../../collaborators/view.ts';
import type { Handler } from '../../http/handler.ts';

export const getCollaborator: Handler<'getCollaborator'> = async ({ headers }, context) => {
  const { collaborator } = context;
  const ETag = collaboratorEtag(collaborator, context);
  if (isUnmodified(headers['if-none-match'], ETag)) return { status: 304, headers: { ETag }, body: undefined };
  return { status: 200, headers: { ETag }, body: collaboratorView(collaborator, context) };
};
