/** Explains in one line why a process can not start or continue. */
import { isUnavailable } from '../../contract/problem.ts';

export function startProblem(error: unknown): string {
  const { code, message, port, path, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE') return `port ${port} is taken; set PORT to another one`;
  if (code === 'EACCES' && port) return `port ${port} needs more rights; set PORT to one above 1023`;
  if (code && path && address === undefined) return `${path} can not be used: ${message}`;
  if (code && /^(28|3D)/.test(code)) return `the database refused the connection: ${message}`;
  if (isUnavailable(error)) return `the database can not be reached: ${message || code}`;
  return message ?? String(error);
}
