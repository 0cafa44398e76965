/** The body, where the operation takes one: 415 for another kind, 413 for too much, 400 for what can't be read. */
import type { ReadBody } from '../body.ts';
import type { Step } from '../exchange.ts';

export function receiveBody(readBody: ReadBody): Step {
  return async (exchange) => {
    const { req, res, operation, company } = exchange;
    if (operation.body) exchange.body = await readBody(req, res, operation, company?.tenant.company_id);
  };
}
