import { openPage } from '../../../platform/db/cursor.ts';
import { directoryResponse, oldestDirectories } from '../../../product/directories/directories.ts';
import type { Handler } from '../../handler.ts';

export const listDirectories: Handler<'listDirectories'> = async ({ query }, context) => {
  const { tenant, cursors, base_url: baseUrl } = context;
  const page = openPage(query, cursors, ['listDirectories', tenant.company_id]);
  const found = await oldestDirectories(tenant, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ created_at: createdAt, id }) => [createdAt, id]);
  const data = await Promise.all(rows.map((row) => directoryResponse(tenant, row, baseUrl)));
  return { status: 200, body: { data, pagination } };
};
