import { forgetMembers } from '../../../identity/members/member.ts';
import { removeConnection } from '../../../product/sign-in-connections/remove-connection.ts';
import type { Handler } from '../../handler.ts';

export const deleteSignInConnection: Handler<'deleteSignInConnection'> = async (_, { tenant, signInConnection }) => {
  const { id } = signInConnection;
  const removed = await tenant.transaction((tx) => removeConnection(tx, id));
  forgetMembers(tenant.company_id);
  return { status: 200, body: { id, deleted: true, deleted_at: removed.deleted_at } };
};
