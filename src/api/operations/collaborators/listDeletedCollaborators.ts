import { keysetPage } from '../../../platform/db/cursor.ts';
import { countDeleted, deletedResponse, newestDeleted } from '../../../product/collaborators/deleted-list.ts';
import type { Handler } from '../../handler.ts';

export const listDeletedCollaborators: Handler<'listDeletedCollaborators'> = async ({ query }, context) => {
  const { limit = 20, cursor, search } = query;
  const { tenant, cursors } = context;
  const binding = ['listDeletedCollaborators', tenant.company_id, search ?? null];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const [found, total] = await Promise.all([
    newestDeleted(tenant, search, limit + 1, after),
    countDeleted(tenant, search),
  ]);
  const { rows, pagination } = keysetPage(found, limit, ({ deleted_at: at, id }) => cursors.seal([at, id], binding));
  return { status: 200, body: { data: rows.map(deletedResponse), pagination: { ...pagination, total } } };
};
