import { inviteNow } from '../../../product/invitations/send-invitation.ts';
import type { Handler } from '../../handler.ts';

export const sendInvitation: Handler<'sendInvitation'> = async (_request, context) => {
  const { tenant, caller, member, collaborator } = context;
  const inviter = { user_id: caller.user_id, role: member.role };
  const message = await inviteNow(tenant, inviter, collaborator.id, context);
  return { status: 200, body: { message: message.translate(context.language()) } };
};
