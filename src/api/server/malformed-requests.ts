/** Responds to malformed HTTP, oversized headers, and slow clients, which Node's parser rejects before our code runs. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { RequestLog } from '../http/observe/request-log.ts';
import { readerLanguage } from '../http/responses/reader-language.ts';
import { earlyResponse } from './early-response.ts';

/** A connection, with node's response to its current request, and the last request that its parser found. */
type BusySocket = Socket & {
  parser?: { incoming?: IncomingMessage | null } | null;
  _httpMessage?: { headersSent: boolean; req?: IncomingMessage; locals?: { requestLog?: RequestLog } };
};

/** @param error of node's parser, or `{ code: 'CONNECT' }` */
export function respondToBrokenRequest(
  error: { code?: string | undefined },
  socket: Socket,
  headers: Record<string, string>,
  log: Logger,
): void {
  const { _httpMessage: currentResponse, parser } = socket as BusySocket;
  const isAnswered = currentResponse?.headersSent ?? parser?.incoming?.complete === false;
  // A client would take a second response for that of its next request, and a disconnected one can't receive any.
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
    socket.destroy();
    return;
  }
  // If the body is late or malformed, the request already has an id.
  const requestId = currentResponse?.locals?.requestLog?.request_id ?? randomUUID();
  const problem = problemOf(error.code);
  const language = readerLanguage(currentResponse?.locals?.requestLog ?? {}, currentResponse?.req?.headers ?? {});
  // With a late body, the rate limit headers are already known.
  const counted = Object.entries(currentResponse?.locals?.requestLog?.headers ?? {}).filter(([name]) =>
    name.startsWith('RateLimit'),
  );
  const sent = { ...headers, ...Object.fromEntries(counted), 'X-Request-Id': requestId, Connection: 'close' };
  const response = earlyResponse(problem, sent, language);
  const { status } = response;
  log.info({ request_id: requestId, status, reason: error.code, address: socket.remoteAddress }, 'broken request');
  const head = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${response.body}`);
  socket.once('finish', () => socket.destroy());
}

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, 'invalid_parameter', t`The request headers are too large.`);
    // Not 413: operations without a body, which don't declare it, can receive one too.
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem(400, 'invalid_parameter', t`The chunk extensions of the body are too large.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(408, 'service_unavailable', t`The request did not arrive in time. Send it again.`);
    case 'CONNECT':
      return new Problem(405, 'method_not_allowed', t`This is not a proxy.`);
    default:
      return new Problem(400, 'invalid_parameter', t`This is not a valid HTTP request.`);
  }
}
