import { openPage } from '../../../platform/db/cursor.ts';
import { countDeleted, deletedResponse, newestDeleted } from '../../../product/collaborators/deleted-list.ts';
import type { Handler } from '../../handler.ts';

export const listDeletedCollaborators: Handler<'listDeletedCollaborators'> = async ({ query }, context) => {
  const { search } = query;
  const { tenant, cursors } = context;
  const page = openPage(query, cursors, ['listDeletedCollaborators', tenant.company_id, search ?? null]);
  const [found, total] = await Promise.all([
    newestDeleted(tenant, search, page.count, page.after),
    countDeleted(tenant, search),
  ]);
  const { rows, pagination } = page.of(found, ({ deleted_at: at, id }) => [at, id]);
  return { status: 200, body: { data: rows.map(deletedResponse), pagination: { ...pagination, total } } };
};
