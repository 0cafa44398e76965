import { openPage } from '../../../platform/db/cursor.ts';
import { latestSyncs } from '../../../product/directories/syncs.ts';
import type { Handler } from '../../handler.ts';

export const listDirectorySyncs: Handler<'listDirectorySyncs'> = async ({ query }, context) => {
  const { tenant, cursors, directory } = context;
  const page = openPage(query, cursors, ['listDirectorySyncs', tenant.company_id, directory.id]);
  const found = await latestSyncs(tenant, directory.id, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ started_at: at, id }) => [at, id]);
  return { status: 200, body: { data: rows, pagination } };
};
