/** The only writer of API responses. Handlers return what to say; this says it, once it agrees with the contract. */
import type { Response } from 'express';
import { contract } from '../contract.ts';
import { internalError, type Problem, toProblem } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { OperationRecord } from './engine.ts';
import type { Trail } from './trail.ts';

export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, unknown> | undefined;
}

/** On every answer: which interface this is, and that it belongs to one caller only. */
export const commonHeaders = {
  'X-Api-Version': contract.info.version,
  'Cache-Control': 'private, no-cache',
};

export interface Responder {
  /** Sends a success, or a 500 where the answer is not one the contract declares (outside production). */
  send(res: Response, record: OperationRecord, reply: Reply): void;
  /** Sends any error in the one form. @returns the problem that the client was told */
  fail(res: Response, record: OperationRecord | undefined, error: unknown): Problem;
}

/** In production one answer in so many is held against the contract. */
const sample = 100;

/** @param strict answers that break the contract become a 500; otherwise some are looked at, logged and sent */
export function createResponder(strict: boolean, log: Logger): Responder {
  let sent = 0;
  return {
    send(res, record, reply) {
      const broken = strict || ++sent % sample === 0 ? contractBreach(record, reply) : undefined;
      if (broken) {
        log.error({ operationId: record.operationId, status: reply.status }, broken);
        if (strict) throw internalError(new Error(broken));
      }
      write(res, reply);
    },
    fail(res, record, error) {
      let problem = toProblem(error);
      const broken = record && contractBreach(record, { status: problem.status, body: problem.body() });
      if (broken) {
        log.error({ operationId: record.operationId, status: problem.status, err: error }, broken);
        if (strict) problem = internalError(new Error(broken));
      } else if (problem.status >= 500) log.error({ err: problem.cause ?? problem }, problem.message);
      write(res, { status: problem.status, body: problem.body(), headers: problem.headers });
      return problem;
    },
  };
}

/** A sentence for the log when the contract does not declare such an answer; for statuses of no operation see router. */
function contractBreach(record: OperationRecord, { status, body }: Reply): string | undefined {
  const { operationId, statuses } = record;
  if (!statuses.has(status)) return `${operationId} answered ${status}, which the contract does not declare`;
  const validate = record.responseValidator(status);
  if (!validate || validate(body)) return undefined;
  const { instancePath, message } = validate.errors![0]!;
  return `${operationId} answered ${status} with a body that breaks the contract: ${instancePath} ${message}`;
}

function write(res: Response, { status, body, headers }: Reply): void {
  if (res.headersSent || res.destroyed) return;
  const all: Record<string, string | number> = { ...(res.locals.trail as Trail).headers, ...commonHeaders };
  for (const name in headers) all[name] = String(headers[name]);
  if (body === undefined) {
    res.writeHead(status, all).end();
    return;
  }
  const text = JSON.stringify(body);
  all['Content-Type'] = 'application/json; charset=utf-8';
  all['Content-Length'] = Buffer.byteLength(text);
  res.writeHead(status, all).end(text); // node leaves the body out of an answer to HEAD
}
