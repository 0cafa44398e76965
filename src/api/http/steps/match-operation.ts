/** Which operation the method and the path mean: 404 for an unknown path, 405 for a method that it does not answer to. */
import { methodNotAllowed, notFound } from '../../../contract/problem.ts';
import type { Exchange, Step } from '../exchange.ts';
import type { OperationRecord } from '../operation-record.ts';
import type { Routes } from '../routes.ts';

/** @returns the operation; `unknown` or `other-method` where there is none */
export type MatchOperation = (exchange: Exchange) => OperationRecord | 'unknown' | 'other-method';

export function matchOperation(routes: Routes): MatchOperation {
  return (exchange) => {
    const match = routes(exchange.method, exchange.path);
    if (!match) return 'unknown';
    if ('allowed' in match) {
      exchange.allowed = match.allowed;
      return 'other-method';
    }
    exchange.operation = match.record;
    exchange.path_parameters = match.path_parameters;
    exchange.trail.record = match.record;
    exchange.trail.path_parameters = match.path_parameters;
    return match.record;
  };
}

/** @throws 404 */
export const refuseUnknownPath: Step = () => {
  throw notFound();
};

/** @throws 405 with `Allow` */
export const refuseMethod: Step = ({ allowed }) => {
  throw methodNotAllowed(allowed);
};
