import { renderCollaborator } from '../../../product/collaborators/responses/collaborator-response.ts';
import { restorePerson } from '../../../product/directories/people/deletion.ts';
import type { Handler } from '../../handler.ts';

export const restoreCollaborator: Handler<'restoreCollaborator'> = async (_request, context) => {
  const { tenant, caller, collaborator, quotas } = context;
  await quotas.require(tenant, 'people', 1);
  const row = await restorePerson(tenant, caller, collaborator.id);
  return renderCollaborator(200, row, context);
};
