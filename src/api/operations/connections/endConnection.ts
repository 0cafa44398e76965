import { endConnection as end } from '../../../product/connections/end-connection.ts';
import type { Handler } from '../../handler.ts';

export const endConnection: Handler<'endConnection'> = async (_, { tenant, caller, connection }) => {
  const endedAt = await tenant.transaction((tx) => end(tx, connection, caller.user_id));
  return { status: 200, body: { id: connection.id, ended: true, ended_at: endedAt } };
};
