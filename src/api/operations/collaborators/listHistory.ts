import { openPage } from '../../../platform/db/cursor.ts';
import { historyViews, newestEntries } from '../../../product/collaborators/write/history.ts';
import type { Handler } from '../../handler.ts';

export const listHistory: Handler<'listHistory'> = async ({ query }, context) => {
  const { tenant, member, collaborator, cursors } = context;
  const page = openPage(query, cursors, ['listHistory', tenant.company_id, collaborator.id]);
  const found = await newestEntries(tenant, member, collaborator.id, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ timestamp, id }) => [timestamp, id]);
  return { status: 200, body: { data: await historyViews(tenant, rows, context), pagination } };
};
