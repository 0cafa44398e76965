import { readCollaborator } from '../../../product/collaborators/shown-collaborators.ts';
import { wantedFields } from '../../../product/collaborators/wanted-fields.ts';
import type { Handler } from '../../handler.ts';

export const getCollaborator: Handler<'getCollaborator'> = async ({ query }, context) =>
  readCollaborator(context.collaborator, wantedFields(query), context);
