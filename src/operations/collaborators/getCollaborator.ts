import { isUnmodified } from '../../collaborators/preconditions.ts';
import { showCollaborator } from '../../collaborators/view.ts';
import type { Handler } from '../../http/handler.ts';

export const getCollaborator: Handler<'getCollaborator'> = async ({ headers }, context) => {
  const shown = showCollaborator(200, context.collaborator, context);
  if (!isUnmodified(headers['if-none-match'], shown.headers.ETag)) return shown;
  return { status: 304, headers: shown.headers, body: undefined };
};
