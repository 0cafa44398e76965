import { addConnection, readProvider } from '../../../product/sign-in-connections/create-connection.ts';
import { connectionLocation, showConnection } from '../../../product/sign-in-connections/sign-in-connections.ts';
import type { Handler } from '../../handler.ts';

/** Provider data by request, read before the transaction. */
const providerData = new WeakMap<object, Awaited<ReturnType<typeof readProvider>>>();

export const createSignInConnection: Handler<'createSignInConnection'> = async ({ body }, context) => {
  const { tenant, caller, signIn, base_url: baseUrl } = context;
  const values = { ...body, created_by: caller.user_id };
  const row = await tenant.transaction((tx) => addConnection(tx, signIn, values, providerData.get(body)));
  const { headers, body: response } = await showConnection(tenant, row, baseUrl);
  return { status: 201, headers: { ...headers, Location: connectionLocation(row) }, body: response };
};

createSignInConnection.check = async ({ body }, { signIn }) => {
  providerData.set(body, await readProvider(body, signIn));
};
