/** Reads the body if the operation takes one: 415 for another media type, 413 above the limit, 400 if malformed. */
import type { ReadBody } from '../body/body.ts';
import type { Step } from '../request-context.ts';

export function receiveBody(readBody: ReadBody): Step {
  return async (exchange) => {
    const { req, res, operation, company } = exchange;
    if (operation.body) exchange.body = await readBody(req, res, operation, company?.tenant.company_id);
  };
}
