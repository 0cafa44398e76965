import { bulk } from '../../../product/bulk/bulk.ts';
import type { Handler } from '../../handler.ts';

export const bulkCollaborators: Handler<'bulkCollaborators'> = async ({ body }, context) => {
  const { tenant, caller, files, quotas, language } = context;
  const allow = (tx: typeof tenant, people: number) => quotas.require(tx, 'people', people);
  return { status: 200, body: await bulk(tenant, caller, body, files.links, language(), allow) };
};
