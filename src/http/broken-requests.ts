/**
 * What never becomes a request: broken HTTP, a head that is too large, a client that is too slow. Node's parser ends it
 * before any of our code sees it; the answer has the form of all errors, and ends the connection.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../errors.ts';
import type { Logger } from '../log.ts';
import { commonHeaders } from './respond.ts';

/** @param error what node's parser found, or `{ code: 'CONNECT' }` */
export function answerBrokenRequest(error: { code?: string | undefined }, socket: Socket, log: Logger): void {
  // An answer that has begun can't be replaced; a client that has gone hears nothing.
  const begun = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent;
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  const { status, code, message } = problemOf(error.code);
  const request_id = randomUUID();
  log.info({ request_id, status, reason: error.code, address: socket.remoteAddress }, 'broken request');
  const body = JSON.stringify({ error: code, message });
  const headers = {
    ...commonHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': request_id,
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  socket.once('finish', () => socket.destroy());
}

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, 'invalid_parameter', 'The head of the request is too large.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem(413, 'payload_too_large', 'The chunk extensions of the body are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(408, 'service_unavailable', 'The request did not arrive in time. Send it again.');
    case 'CONNECT':
      return new Problem(405, 'method_not_allowed', 'This is no proxy.');
    default:
      return new Problem(400, 'invalid_parameter', 'This is no valid HTTP request.');
  }
}
