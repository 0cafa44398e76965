import { openPage } from '../../../platform/db/cursor.ts';
import { isId } from '../../../product/access/records.ts';
import { connectionViews, newestConnections } from '../../../product/connections/connections.ts';
import type { Handler } from '../../handler.ts';

export const listConnections: Handler<'listConnections'> = async ({ query }, { tenant, member, caller, cursors }) => {
  const { client_id: clientId, kind, user_id: allowedBy, needs_confirmation: needsConfirmation } = query;
  const userId = member.role === 'admin' ? undefined : caller.user_id;
  const binding = [
    'listConnections',
    tenant.company_id,
    userId ?? null,
    clientId ?? null,
    kind ?? null,
    allowedBy ?? null,
    needsConfirmation ?? null,
  ];
  const page = openPage(query, cursors, binding);
  // Postgres rejects texts with NUL, so no client has such an id.
  const matchesNone = clientId?.includes('\0') || (allowedBy !== undefined && !isId(allowedBy));
  const filters = {
    client_id: clientId,
    kind,
    allowed_by: allowedBy,
    user_id: userId,
    needs_confirmation: needsConfirmation,
  };
  const found = matchesNone ? [] : await newestConnections(tenant, filters, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ created_at: createdAt, id }) => [createdAt, id]);
  return { status: 200, body: { data: await connectionViews(tenant, rows), pagination } };
};
