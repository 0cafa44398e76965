import type { Exchange } from '../exchange.ts';
import type { Reply, Responder } from '../respond.ts';

export function sendReply({ send }: Responder): (exchange: Exchange, reply: Reply) => void {
  return ({ res, operation }, reply) => send(res, operation, reply);
}
