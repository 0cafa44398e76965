import { requireForHidden } from '../../../product/access/step-up.ts';
import { readCollaboratorResponse } from '../../../product/collaborators/responses/list-responses.ts';
import { requestedFields } from '../../../product/collaborators/responses/requested-fields.ts';
import type { Handler } from '../../handler.ts';

export const getCollaborator: Handler<'getCollaborator'> = async ({ query }, context) => {
  const fieldSelection = requestedFields(query, context);
  requireForHidden(fieldSelection.fields, context, context.collaborator.id);
  return readCollaboratorResponse(context.collaborator, fieldSelection, context);
};
