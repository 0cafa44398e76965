import { collaboratorEtag, collaboratorView } from '../../collaborators/view.ts';
import { addCollaborator } from '../../collaborators/write.ts';
import type { Handler } from '../../http/handler.ts';

export const createCollaborator: Handler<'createCollaborator'> = async ({ body }, context) => {
  const { tenant, caller, base_url } = context;
  const row = await tenant.transaction((tx) => addCollaborator(tx, caller, body));
  const headers = { Location: `${base_url}/v1/collaborators/${row.id}`, ETag: collaboratorEtag(row, context) };
  return { status: 201, headers, body: collaboratorView(row, context) };
};
