import { deleteCollaborator as remove } from '../../../product/collaborators/remove-collaborator.ts';
import type { Handler } from '../../handler.ts';

export const deleteCollaborator: Handler<'deleteCollaborator'> = async ({ ifMatch }, context) => {
  const { id, deleted_at: deletedAt } = await remove(context.tenant, context, context.collaborator.id, ifMatch);
  return { status: 200, body: { id, deleted: true, deleted_at: deletedAt! } };
};
