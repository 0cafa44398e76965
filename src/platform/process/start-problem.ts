/** Explains in one line why a process can't start or continue. */
import { isUnavailable, Problem } from '../../contract/problem.ts';
import { ConfigError } from '../config/config-error.ts';
import { errorOf } from '../files/store/store-error.ts';

export function startProblem(error: unknown): string {
  const { code, message, path, address } = error as NodeJS.ErrnoException & { address?: string };
  if (error instanceof ConfigError) return message;
  if (isOfStore(error)) return `the file store (STORAGE_URL) can't be used: ${errorOf(error).reason}`;
  if (code && path && address === undefined) return `${path} can't be used: ${message}`;
  if (code && /^(28|3D)/.test(code)) return `the database refused the connection: ${message}`;
  if (isUnavailable(error)) return `the database can't be reached: ${message || code}`;
  return message ?? String(error);
}

/** A store reports every outage as a 503. */
function isOfStore(error: unknown): boolean {
  return error instanceof Problem && error.status === 503 && error.cause instanceof Error;
}
