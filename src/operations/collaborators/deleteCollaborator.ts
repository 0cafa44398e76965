import { deleteCollaborator as remove } from '../../collaborators/remove.ts';
import type { Handler } from '../../http/handler.ts';

export const deleteCollaborator: Handler<'deleteCollaborator'> = async ({ headers }, context) => {
  const { id, deleted_at } = await remove(context.tenant, context, context.collaborator.id, headers['if-match']);
  return { status: 200, body: { id, deleted: true, deleted_at: deleted_at! } };
};
