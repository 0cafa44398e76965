import { openPage } from '../../../platform/db/cursor.ts';
import { groupsByName } from '../../../product/directories/groups/group-names.ts';
import type { Handler } from '../../handler.ts';

export const listDirectoryGroups: Handler<'listDirectoryGroups'> = async ({ query }, context) => {
  const { tenant, cursors, directory } = context;
  const page = openPage(query, cursors, ['listDirectoryGroups', tenant.company_id, directory.id]);
  const found = await groupsByName(tenant, directory.id, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ name, id }) => [name.toLowerCase(), id]);
  return { status: 200, body: { data: rows, pagination } };
};
