import { inviteNow } from '../../../product/invitations/send-invitation.ts';
import type { Handler } from '../../handler.ts';

export const sendInvitation: Handler<'sendInvitation'> = async (_request, context) => {
  const { tenant, caller, collaborator } = context;
  return { status: 200, body: { message: await inviteNow(tenant, caller, collaborator.id, context) } };
};
