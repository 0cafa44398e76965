import { bulk } from '../../collaborators/bulk.ts';
import type { Handler } from '../../http/handler.ts';

export const bulkCollaborators: Handler<'bulkCollaborators'> = async ({ body }, { tenant, caller }) => ({
  status: 200,
  body: await bulk(tenant, caller, body),
});
