/** The only writer of API responses. It checks what handlers return against the contract. */
import type { Response } from 'express';
import { contract } from '../../../contract/contract.ts';
import { internalError, Overload, type Problem, toProblem } from '../../../contract/problem.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import type { RequestLog } from '../observe/request-log.ts';
import type { OperationRecord } from '../operation-record.ts';
import { languageHeaders, readerLanguage } from './reader-language.ts';
import { isReplay } from './replay.ts';
import { taggedHeaders } from './tagged-headers.ts';

export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, unknown> | undefined;
}

/** On every response. `no-store` keeps personal data out of browser and proxy caches. */
export const commonHeaders = {
  'X-Api-Version': contract.info.version,
  'Cache-Control': 'no-store',
};

export interface Responder {
  /** Sends a success, or (outside production) a 500 if the response violates the contract. */
  send(res: Response, record: OperationRecord, reply: Reply): void;
  fail(res: Response, record: OperationRecord | undefined, error: unknown): void;
}

/** Production validates one in this many responses. */
const sampleInterval = 100;

/**
 * @param strict turns responses that violate the contract into a 500; otherwise a sample is validated, logged, and sent
 * @param onBreach called with each operation whose response violates the contract
 */
export function createResponder(strict: boolean, log: Logger, onBreach: (operationId: string) => void): Responder {
  let sent = 0;
  return {
    send(res, record, reply) {
      // A replayed response was checked at first, maybe by the contract of an earlier version.
      const isChecked = (strict || ++sent % sampleInterval === 0) && !isReplay(reply);
      const breach = isChecked ? contractBreach(record, reply) : undefined;
      if (breach) {
        onBreach(record.operationId);
        log.error({ operationId: record.operationId, status: reply.status }, breach);
        if (strict) throw internalError(new Error(breach));
      }
      write(res, reply);
    },
    fail(res, record, error) {
      let problem = toProblem(error);
      const requestLog = res.locals.requestLog as RequestLog;
      const language = readerLanguage(requestLog, res.req.headers);
      const breach = record && contractBreach(record, { status: problem.status, body: problem.body(language) });
      if (breach) {
        onBreach(record.operationId);
        log.error({ operationId: record.operationId, status: problem.status, err: error }, breach);
        if (strict) problem = internalError(new Error(breach));
      } else if (problem.status >= 500 && !(problem.cause instanceof Overload)) {
        log.error({ err: problem.cause ?? problem }, problem.message);
      }
      requestLog.error_code = problem.code;
      const headers = { ...languageHeaders(language, requestLog.headers.Vary), ...problem.headers };
      write(res, { status: problem.status, body: shortBody(problem.body(language)), headers });
    },
  };
}

const maxErrorCharacters = 16_384;

/** A character takes at most four bytes, so no error is larger than 64 KiB. */
function shortBody(body: ReturnType<Problem['body']>): object {
  if (!body.details || JSON.stringify(body).length <= maxErrorCharacters) return body;
  return Buffer.byteLength(JSON.stringify(body)) <= 4 * maxErrorCharacters ? body : { ...body, details: undefined };
}

/** A log message if the contract doesn't declare the response. The router handles statuses without an operation. */
function contractBreach(record: OperationRecord, { status, body }: Reply): string | undefined {
  const { operationId, responseValidators } = record;
  if (!responseValidators.has(status)) return `${operationId} returned ${status}, which the contract does not declare`;
  const validate = responseValidators.get(status);
  if (!validate || validate(body)) return undefined;
  const { instancePath, message } = validate.errors![0]!;
  return `${operationId} returned ${status} with a body that violates the contract: ${instancePath} ${message}`;
}

function write(res: Response, { status, body, headers }: Reply): void {
  if (res.headersSent || res.destroyed) return;
  const all: Record<string, string | number> = { ...(res.locals.requestLog as RequestLog).headers, ...commonHeaders };
  for (const name in headers) all[name] = String(headers[name]);
  if (headers?.ETag !== undefined)
    Object.assign(all, taggedHeaders(String(headers.ETag), commonHeaders['Cache-Control']));
  const text = JSON.stringify(body);
  if (text === undefined) {
    res.writeHead(status, all).end();
    return;
  }
  all['Content-Type'] = 'application/json; charset=utf-8';
  all['Content-Length'] = Buffer.byteLength(text);
  res.writeHead(status, all).end(text); // node omits the body for HEAD
}
