import { requireForHidden } from '../../../product/access/step-up.ts';
import { readCollaborator } from '../../../product/collaborators/view/shown-collaborators.ts';
import { wantedFields } from '../../../product/collaborators/view/wanted-fields.ts';
import type { Handler } from '../../handler.ts';

export const getCollaborator: Handler<'getCollaborator'> = async ({ query }, context) => {
  const wanted = wantedFields(query, context);
  requireForHidden(wanted.fields, context, context.collaborator.id);
  return readCollaborator(context.collaborator, wanted, context);
};
