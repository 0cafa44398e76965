/**
 * What lets a page of another origin call and read the answer (Fetch standard, section 3.2). Tokens are sent by the page
 * itself, so cookies and the like are never allowed (`Access-Control-Allow-Credentials`).
 */
import type { IncomingMessage } from 'node:http';

/** What a page may read of an answer, beside its body and the headers that every page may read. */
export const exposedHeaders = [
  'Accept-Encoding',
  'Accept-Patch',
  'Allow',
  'Content-Language',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Api-Version',
  'X-Request-Id',
];

/** What a page may send, beside the headers that every page may send. */
export const acceptedHeaders = [
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'DPoP',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Company-Id',
  'X-Request-Id',
];

/** How long a browser need not ask again: two hours, the most that any of them keeps. */
const maxAgeS = 7_200;

/** On every answer that may differ by the origin it was asked from, so that no cache gives it to another. */
export const varies = { Vary: 'Origin' };

/** @param origin that is allowed */
export function sharingHeaders(origin: string): Record<string, string> {
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders.join(', ') };
}

/** What a preflight is answered with. */
export function preflightHeaders(origin: string, methods: readonly string[]): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': acceptedHeaders.join(', '),
    'Access-Control-Max-Age': String(maxAgeS),
  };
}

/** Whether it is the question that a browser asks before it sends the request itself. */
export function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
}
