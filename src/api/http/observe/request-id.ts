import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** @returns the caller's id if it is safe in headers and logs; else a new one */
export function requestIdOf({ headers }: IncomingMessage): string {
  const incoming = headers['x-request-id'];
  return typeof incoming === 'string' && /^[\w.:+/=-]{1,128}$/.test(incoming) ? incoming : randomUUID();
}
