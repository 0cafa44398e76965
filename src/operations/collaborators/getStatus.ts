import { statusView } from '../../collaborators/status.ts';
import type { Handler } from '../../http/handler.ts';

export const getStatus: Handler<'getStatus'> = async (_request, { tenant, collaborator }) => {
  return { status: 200, body: await statusView(tenant, collaborator) };
};
