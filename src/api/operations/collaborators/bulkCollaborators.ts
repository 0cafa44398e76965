import { bulk } from '../../../product/bulk/bulk.ts';
import type { Handler } from '../../handler.ts';

export const bulkCollaborators: Handler<'bulkCollaborators'> = async ({ body }, context) => {
  const { tenant, quotas, language } = context;
  const allow = (tx: typeof tenant, people: number) => quotas.require(tx, 'people', people);
  return { status: 200, body: await bulk(tenant, context, body, language(), allow) };
};
