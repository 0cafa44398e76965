import { forgetMembers } from '../../../identity/members/member.ts';
import { showConnection } from '../../../product/sign-in-connections/sign-in-connections.ts';
import { changeConnection, readChange } from '../../../product/sign-in-connections/update-connection.ts';
import type { Handler } from '../../handler.ts';

/** Provider data by request, read before the transaction. */
const read = new WeakMap<object, Awaited<ReturnType<typeof readChange>>>();

export const updateSignInConnection: Handler<'updateSignInConnection'> = async ({ body, ifMatch }, context) => {
  const { tenant, signIn, signInConnection, base_url: baseUrl } = context;
  const { id } = signInConnection;
  const row = await tenant.transaction((tx) => changeConnection(tx, signIn, id, body, read.get(body), ifMatch));
  forgetMembers(tenant.company_id);
  return showConnection(tenant, row, baseUrl);
};

updateSignInConnection.check = async ({ body }, { signIn, signInConnection }) => {
  read.set(body, await readChange(signInConnection, signIn, body));
};
