import { inviteNow } from '../../../product/invitations/send-invitation.ts';
import type { Handler } from '../../handler.ts';

const deprecatedSinceS = Date.UTC(2026, 10, 21) / 1000;

/** The deprecated path of sendInvitation. */
export const resendInvitation: Handler<'resendInvitation'> = async (_request, context) => {
  const { tenant, caller, member, collaborator } = context;
  const inviter = { user_id: caller.user_id, role: member.role };
  const message = await inviteNow(tenant, inviter, collaborator.id, context);
  const successor = `/v1/collaborators/${collaborator.id}/send-invitation`;
  const headers = { Deprecation: `@${deprecatedSinceS}`, Link: `<${successor}>; rel="successor-version"` };
  return { status: 200, headers, body: { message: message.translate(context.language()) } };
};
