import { openPage } from '../../../platform/db/cursor.ts';
import { latestErrors } from '../../../product/directories/syncs.ts';
import type { Handler } from '../../handler.ts';

export const listDirectoryErrors: Handler<'listDirectoryErrors'> = async ({ query }, context) => {
  const { tenant, cursors, directory } = context;
  const page = openPage(query, cursors, ['listDirectoryErrors', tenant.company_id, directory.id]);
  const found = await latestErrors(tenant, directory.id, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ last_at: at, id }) => [at, id]);
  return { status: 200, body: { data: rows, pagination } };
};
