import { bulk } from '../../../product/bulk/bulk.ts';
import type { Handler } from '../../handler.ts';

export const bulkCollaborators: Handler<'bulkCollaborators'> = async ({ body }, { tenant, caller, quotas }) => ({
  status: 200,
  body: await bulk(tenant, caller, body, (tx, people) => quotas.require(tx, 'people', people)),
});
