import { keysetPage } from '../../../platform/db/cursor.ts';
import { connectionViews, newestConnections } from '../../../product/connections/connections.ts';
import type { Handler } from '../../handler.ts';

export const listConnections: Handler<'listConnections'> = async ({ query }, { tenant, member, caller, cursors }) => {
  const { limit = 20, cursor, client_id } = query;
  const user_id = member.role === 'admin' ? undefined : caller.user_id;
  const binding = ['listConnections', tenant.company_id, user_id ?? null, client_id ?? null];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  // Postgres takes no text with a NUL, so no client has such an id.
  const is_nobody = client_id?.includes('\0') ?? false;
  const found = is_nobody ? [] : await newestConnections(tenant, { client_id, user_id }, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ created_at, id }) =>
    cursors.seal([created_at, id], binding),
  );
  return { status: 200, body: { data: await connectionViews(tenant, rows), pagination } };
};
