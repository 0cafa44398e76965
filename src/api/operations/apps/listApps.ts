import { keysetPage } from '../../../platform/db/cursor.ts';
import { appResponse, oldestApps } from '../../../product/apps/apps.ts';
import type { Handler } from '../../handler.ts';

export const listApps: Handler<'listApps'> = async ({ query: { limit = 20, cursor } }, { tenant, cursors }) => {
  const binding = ['listApps', tenant.company_id];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await oldestApps(tenant, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ created_at: createdAt, id }) =>
    cursors.seal([createdAt, id], binding),
  );
  return { status: 200, body: { data: rows.map(appResponse), pagination } };
};
