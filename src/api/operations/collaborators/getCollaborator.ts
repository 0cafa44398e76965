import { showCollaborator } from '../../../product/collaborators/collaborator-view.ts';
import type { Handler } from '../../handler.ts';

export const getCollaborator: Handler<'getCollaborator'> = async (_, context) =>
  showCollaborator(200, context.collaborator, context);
