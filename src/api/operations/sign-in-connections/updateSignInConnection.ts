import { forgetMembers } from '../../../identity/members/member.ts';
import { connectionView } from '../../../product/sign-in-connections/sign-in-connections.ts';
import { changeConnection } from '../../../product/sign-in-connections/update-connection.ts';
import type { Handler } from '../../handler.ts';

export const updateSignInConnection: Handler<'updateSignInConnection'> = async ({ body }, context) => {
  const { tenant, signIn, signInConnection, base_url: baseUrl } = context;
  const row = await tenant.transaction((tx) => changeConnection(tx, signIn, signInConnection.id, body));
  forgetMembers(tenant.company_id);
  return { status: 200, body: await connectionView(tenant, row, baseUrl) };
};
