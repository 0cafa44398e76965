import { keysetPage } from '../../../platform/db/cursor.ts';
import { latestSyncs } from '../../../product/directories/syncs.ts';
import type { Handler } from '../../handler.ts';

export const listDirectorySyncs: Handler<'listDirectorySyncs'> = async ({ query: { limit = 20, cursor } }, context) => {
  const { tenant, cursors, directory } = context;
  const binding = ['listDirectorySyncs', tenant.company_id, directory.id];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await latestSyncs(tenant, directory.id, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ started_at: at, id }) => cursors.seal([at, id], binding));
  return { status: 200, body: { data: rows, pagination } };
};
