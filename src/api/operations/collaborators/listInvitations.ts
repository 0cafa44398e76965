import { openPage } from '../../../platform/db/cursor.ts';
import { optionalMoment } from '../../../platform/values/moments.ts';
import { openInvitations } from '../../../product/invitations/open-invitations.ts';
import type { Handler } from '../../handler.ts';

export const listInvitations: Handler<'listInvitations'> = async ({ query }, { tenant, member, cursors }) => {
  const { expires_before: expiresBefore } = query;
  const before = optionalMoment(expiresBefore);
  const page = openPage(query, cursors, ['listInvitations', tenant.company_id, member.collaborator_id, before]);
  const found = await openInvitations(tenant, member, before, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ expires_at: expiresAt, id }) => [expiresAt, id]);
  return { status: 200, body: { data: rows.map(({ id: _, ...invitation }) => invitation), pagination } };
};
