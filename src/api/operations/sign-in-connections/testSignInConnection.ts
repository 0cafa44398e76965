import { startTest } from '../../../product/sign-in-connections/test-ticket.ts';
import type { Handler } from '../../handler.ts';

export const testSignInConnection: Handler<'testSignInConnection'> = async (_, context) => {
  const { caller, signIn, signInConnection, base_url: baseUrl } = context;
  return {
    status: 200,
    body: startTest(signIn, baseUrl, { connection_id: signInConnection.id, user_id: caller.user_id }),
  };
};
