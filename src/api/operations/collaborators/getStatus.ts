import { statusResponse } from '../../../product/collaborators/status.ts';
import type { Handler } from '../../handler.ts';

export const getStatus: Handler<'getStatus'> = async (_request, { tenant, collaborator }) => {
  return { status: 200, body: await statusResponse(tenant, collaborator) };
};
