import { keysetPage } from '../../../platform/db/cursor.ts';
import { optionalMoment } from '../../../platform/values/moments.ts';
import { openInvitations } from '../../../product/invitations/open-invitations.ts';
import type { Handler } from '../../handler.ts';

export const listInvitations: Handler<'listInvitations'> = async ({ query }, { tenant, member, cursors }) => {
  const { limit = 20, cursor, expires_before: expiresBefore } = query;
  const before = optionalMoment(expiresBefore);
  const binding = ['listInvitations', tenant.company_id, member.collaborator_id, before];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await openInvitations(tenant, member, before, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ expires_at: expiresAt, id }) =>
    cursors.seal([expiresAt, id], binding),
  );
  return { status: 200, body: { data: rows.map(({ id: _, ...invitation }) => invitation), pagination } };
};
