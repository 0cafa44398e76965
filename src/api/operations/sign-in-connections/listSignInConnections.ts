import { keysetPage } from '../../../platform/db/cursor.ts';
import { connectionResponse, oldestConnections } from '../../../product/sign-in-connections/sign-in-connections.ts';
import type { Handler } from '../../handler.ts';

export const listSignInConnections: Handler<'listSignInConnections'> = async (
  { query: { limit = 20, cursor } },
  context,
) => {
  const { tenant, cursors, base_url: baseUrl } = context;
  const binding = ['listSignInConnections', tenant.company_id];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await oldestConnections(tenant, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ created_at: createdAt, id }) =>
    cursors.seal([createdAt, id], binding),
  );
  const data = await Promise.all(rows.map((row) => connectionResponse(tenant, row, baseUrl)));
  return { status: 200, body: { data, pagination } };
};
