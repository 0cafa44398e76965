import { openPage } from '../../../platform/db/cursor.ts';
import { appResponse, oldestApps } from '../../../product/apps/apps.ts';
import type { Handler } from '../../handler.ts';

export const listApps: Handler<'listApps'> = async ({ query }, { tenant, cursors }) => {
  const page = openPage(query, cursors, ['listApps', tenant.company_id]);
  const found = await oldestApps(tenant, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ created_at: createdAt, id }) => [createdAt, id]);
  return { status: 200, body: { data: rows.map(appResponse), pagination } };
};
