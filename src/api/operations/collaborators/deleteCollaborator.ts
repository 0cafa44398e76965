import { deleteCollaborator as remove } from '../../../product/collaborators/remove-collaborator.ts';
import type { Handler } from '../../handler.ts';

export const deleteCollaborator: Handler<'deleteCollaborator'> = async ({ if_match }, context) => {
  const { id, deleted_at } = await remove(context.tenant, context, context.collaborator.id, if_match);
  return { status: 200, body: { id, deleted: true, deleted_at: deleted_at! } };
};
