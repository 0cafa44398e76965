/** The id by which a request is found in the logs. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** @returns the caller's own, when it is one that can stand in a header and in a log as it is; else a new one */
export function requestIdOf({ headers }: IncomingMessage): string {
  const incoming = headers['x-request-id'];
  return typeof incoming === 'string' && /^[\w.:+/=-]{1,128}$/.test(incoming) ? incoming : randomUUID();
}
