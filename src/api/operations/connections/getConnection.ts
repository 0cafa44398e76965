import { connectionViews } from '../../../product/connections/connections.ts';
import type { Handler } from '../../handler.ts';

export const getConnection: Handler<'getConnection'> = async (_, { tenant, connection }) => {
  const [body] = await connectionViews(tenant, [connection]);
  return { status: 200, body: body! };
};
