/** CORS headers (Fetch standard, section 3.2). Pages send their own token, so `Access-Control-Allow-Credentials` is never set. */
import type { IncomingMessage } from 'node:http';

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

/** How long browsers cache a preflight: two hours, the most any of them allows. */
const maxAgeS = 7_200;

/** On every response that may depend on the origin, so that no cache serves it to another origin. */
export const varyByOrigin = { Vary: 'Origin' };

export function corsHeaders(origin: string): Record<string, string> {
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders.join(', ') };
}

export function preflightHeaders(origin: string, methods: readonly string[]): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': acceptedHeaders.join(', '),
    'Access-Control-Max-Age': String(maxAgeS),
  };
}

export function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
}
