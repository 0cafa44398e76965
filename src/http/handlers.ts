/** The registry: one handler for every operationId. It does not compile when one is missing or one too many. */
import { getAuthUser } from '../operations/auth/getAuthUser.ts';
import { createCollaborator } from '../operations/collaborators/createCollaborator.ts';
import { getCollaborator } from '../operations/collaborators/getCollaborator.ts';
import { listCollaborators } from '../operations/collaborators/listCollaborators.ts';
import type { Handlers } from './handler.ts';

export const handlers = {
  getAuthUser,
  createCollaborator,
  getCollaborator,
  listCollaborators,
} satisfies Handlers;
