import { connectionResponse } from '../../../product/sign-in-connections/sign-in-connections.ts';
import type { Handler } from '../../handler.ts';

export const getSignInConnection: Handler<'getSignInConnection'> = async (_, context) => {
  const { tenant, signInConnection, base_url: baseUrl } = context;
  return { status: 200, body: await connectionResponse(tenant, signInConnection, baseUrl) };
};
