import { keysetPage } from '../../../platform/db/cursor.ts';
import { latestErrors } from '../../../product/directories/syncs.ts';
import type { Handler } from '../../handler.ts';

export const listDirectoryErrors: Handler<'listDirectoryErrors'> = async (
  { query: { limit = 20, cursor } },
  context,
) => {
  const { tenant, cursors, directory } = context;
  const binding = ['listDirectoryErrors', tenant.company_id, directory.id];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await latestErrors(tenant, directory.id, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ last_at: at, id }) => cursors.seal([at, id], binding));
  return { status: 200, body: { data: rows, pagination } };
};
