import { showCollaborator } from '../../../product/collaborators/collaborator-view.ts';
import type { Handler } from '../../handler.ts';
import { isUnmodified } from '../../preconditions.ts';

export const getCollaborator: Handler<'getCollaborator'> = async ({ headers }, context) => {
  const shown = showCollaborator(200, context.collaborator, context);
  if (!isUnmodified(headers['if-none-match'], shown.headers.ETag)) return shown;
  return { status: 304, headers: shown.headers, body: undefined };
};
