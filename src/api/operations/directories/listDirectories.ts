import { keysetPage } from '../../../platform/db/cursor.ts';
import { directoryResponse, oldestDirectories } from '../../../product/directories/directories.ts';
import type { Handler } from '../../handler.ts';

export const listDirectories: Handler<'listDirectories'> = async ({ query: { limit = 20, cursor } }, context) => {
  const { tenant, cursors, base_url: baseUrl } = context;
  const binding = ['listDirectories', tenant.company_id];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await oldestDirectories(tenant, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ created_at: createdAt, id }) =>
    cursors.seal([createdAt, id], binding),
  );
  const data = await Promise.all(rows.map((row) => directoryResponse(tenant, row, baseUrl)));
  return { status: 200, body: { data, pagination } };
};
