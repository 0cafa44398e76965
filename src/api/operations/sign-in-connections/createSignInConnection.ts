import { addConnection, issuerFaults } from '../../../product/sign-in-connections/create-connection.ts';
import { connectionLocation, connectionView } from '../../../product/sign-in-connections/sign-in-connections.ts';
import { refuseFaults } from '../../../product/webhooks/subscriptions/webhook-faults.ts';
import type { Handler } from '../../handler.ts';

export const createSignInConnection: Handler<'createSignInConnection'> = async ({ body }, context) => {
  const { tenant, caller, signIn, base_url: baseUrl } = context;
  const row = await tenant.transaction((tx) => addConnection(tx, signIn, { ...body, created_by: caller.user_id }));
  const headers = { Location: connectionLocation(row) };
  return { status: 201, headers, body: await connectionView(tenant, row, baseUrl) };
};

createSignInConnection.check = async ({ body: { issuer } }, { signIn }) => {
  refuseFaults(await issuerFaults(issuer, signIn));
};
