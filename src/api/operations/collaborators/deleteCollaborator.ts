import { deleteCollaborator as remove } from '../../../product/collaborators/remove-collaborator.ts';
import type { Handler } from '../../handler.ts';
import { ifMatch } from '../../preconditions.ts';

export const deleteCollaborator: Handler<'deleteCollaborator'> = async ({ headers }, context) => {
  const { id, deleted_at } = await remove(
    context.tenant,
    context,
    context.collaborator.id,
    ifMatch(headers['if-match']),
  );
  return { status: 200, body: { id, deleted: true, deleted_at: deleted_at! } };
};
