import { openPage } from '../../../platform/db/cursor.ts';
import { connectionResponse, oldestConnections } from '../../../product/sign-in-connections/sign-in-connections.ts';
import type { Handler } from '../../handler.ts';

export const listSignInConnections: Handler<'listSignInConnections'> = async ({ query }, context) => {
  const { tenant, cursors, base_url: baseUrl } = context;
  const page = openPage(query, cursors, ['listSignInConnections', tenant.company_id]);
  const found = await oldestConnections(tenant, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ created_at: createdAt, id }) => [createdAt, id]);
  const data = await Promise.all(rows.map((row) => connectionResponse(tenant, row, baseUrl)));
  return { status: 200, body: { data, pagination } };
};
