import { lookUpDomains, renewProofs } from '../../../product/sign-in-connections/domains.ts';
import { connectionResponse, lockConnection } from '../../../product/sign-in-connections/sign-in-connections.ts';
import type { Handler } from '../../handler.ts';

export const verifySignInDomains: Handler<'verifySignInDomains'> = async (_, context) => {
  const { tenant, signIn, signInConnection, base_url: baseUrl } = context;
  const { id } = signInConnection;
  const found = await lookUpDomains(tenant, signIn, id);
  const row = await tenant.transaction(async (tx) => {
    const locked = await lockConnection(tx, id);
    await renewProofs(tx, id, found);
    return locked;
  });
  return { status: 200, body: await connectionResponse(tenant, row, baseUrl) };
};
