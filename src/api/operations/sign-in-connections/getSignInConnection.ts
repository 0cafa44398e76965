import { showConnection } from '../../../product/sign-in-connections/sign-in-connections.ts';
import type { Handler } from '../../handler.ts';

export const getSignInConnection: Handler<'getSignInConnection'> = async (_, context) =>
  showConnection(context.tenant, context.signInConnection, context.base_url);
