import { keysetPage } from '../../../platform/db/cursor.ts';
import { groupsByName } from '../../../product/directories/groups/group-names.ts';
import type { Handler } from '../../handler.ts';

export const listDirectoryGroups: Handler<'listDirectoryGroups'> = async (
  { query: { limit = 20, cursor } },
  context,
) => {
  const { tenant, cursors, directory } = context;
  const binding = ['listDirectoryGroups', tenant.company_id, directory.id];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await groupsByName(tenant, directory.id, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ name, id }) =>
    cursors.seal([name.toLowerCase(), id], binding),
  );
  return { status: 200, body: { data: rows, pagination } };
};
