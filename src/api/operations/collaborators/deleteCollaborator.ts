import { deletePerson } from '../../../product/directories/people/deletion.ts';
import type { Handler } from '../../handler.ts';

export const deleteCollaborator: Handler<'deleteCollaborator'> = async ({ ifMatch }, context) => {
  const { id, deleted_at: deletedAt } = await deletePerson(context.tenant, context, context.collaborator.id, ifMatch);
  return { status: 200, body: { id, deleted: true, deleted_at: deletedAt! } };
};
