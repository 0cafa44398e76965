import { bulk } from '../../../product/bulk/bulk.ts';
import type { Handler } from '../../handler.ts';

export const bulkCollaborators: Handler<'bulkCollaborators'> = async ({ body }, { tenant, caller, files, quotas }) => ({
  status: 200,
  body: await bulk(tenant, caller, body, files.links, (tx, people) => quotas.require(tx, 'people', people)),
});
