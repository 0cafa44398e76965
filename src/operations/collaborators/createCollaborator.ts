import { addCollaborator } from '../../collaborators/add.ts';
import { showCollaborator } from '../../collaborators/view.ts';
import type { Handler } from '../../http/handler.ts';

export const createCollaborator: Handler<'createCollaborator'> = async ({ body }, context) => {
  const { tenant, caller, base_url } = context;
  const row = await tenant.transaction((tx) => addCollaborator(tx, caller, body));
  const { headers, ...shown } = showCollaborator(201, row, context);
  return { ...shown, headers: { ...headers, Location: `${base_url}/v1/collaborators/${row.id}` } };
};
