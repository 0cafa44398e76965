import type { RequestContext } from '../request-context.ts';
import type { Reply, Responder } from '../responses/respond.ts';

export function sendReply({ send }: Responder): (exchange: RequestContext, reply: Reply) => void {
  return ({ res, operation }, reply) => send(res, operation, reply);
}
