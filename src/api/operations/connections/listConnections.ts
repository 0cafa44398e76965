import { keysetPage } from '../../../platform/db/cursor.ts';
import { isId } from '../../../product/access/records.ts';
import { connectionViews, newestConnections } from '../../../product/connections/connections.ts';
import type { Handler } from '../../handler.ts';

export const listConnections: Handler<'listConnections'> = async ({ query }, { tenant, member, caller, cursors }) => {
  const { limit = 20, cursor, client_id, kind, user_id: allowed_by, needs_confirmation } = query;
  const user_id = member.role === 'admin' ? undefined : caller.user_id;
  const binding = [
    'listConnections',
    tenant.company_id,
    user_id ?? null,
    client_id ?? null,
    kind ?? null,
    allowed_by ?? null,
    needs_confirmation ?? null,
  ];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  // Postgres takes no text with a NUL, so no client has such an id.
  const is_nobody = client_id?.includes('\0') || (allowed_by !== undefined && !isId(allowed_by));
  const filters = { client_id, kind, allowed_by, user_id, needs_confirmation };
  const found = is_nobody ? [] : await newestConnections(tenant, filters, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ created_at, id }) =>
    cursors.seal([created_at, id], binding),
  );
  return { status: 200, body: { data: await connectionViews(tenant, rows), pagination } };
};
