/** Matches method and path to an operation: 404 for an unknown path, 405 for an unsupported method. */
import type { Context, OpenAPIRouter } from 'openapi-backend';
import { type Method, methods } from '../../../contract/contract.ts';
import { methodNotAllowed, notFound } from '../../../contract/problem.ts';
import type { OperationRecord } from '../operation-record.ts';
import type { RequestContext, Step } from '../request-context.ts';

export function matchOperation(records: OperationRecord[]) {
  const byId = new Map<string, OperationRecord>(records.map((record) => [record.operationId, record]));
  return ({ operation, request }: Pick<Context, 'operation' | 'request'>, exchange: RequestContext): void => {
    if (!operation) return;
    exchange.operation = byId.get(operation.operationId!)!;
    const entries = Object.entries<string>(request.params);
    exchange.pathParameters = Object.fromEntries(entries.map(([name, segment]) => [name, decodeSegment(segment)]));
    exchange.requestLog.record = exchange.operation;
    exchange.requestLog.pathParameters = exchange.pathParameters;
  };
}

/** An invalid percent-encoding stays as it is: no record has such an id. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** @throws 404 */
export const refuseUnknownPath: Step = () => {
  throw notFound();
};

/** @throws 405 with `Allow` */
export function refuseMethod(router: OpenAPIRouter): Step {
  return ({ path }) => {
    const isSupported = (method: Method) => router.matchOperation({ method, path, headers: {} });
    throw methodNotAllowed(
      methods.filter(isSupported).flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase())),
    );
  };
}
