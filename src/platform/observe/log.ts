/** Structured logs in JSON. Never log bodies, headers, tokens or other secrets, nor people's names and addresses. */
import { type Logger, type LoggerOptions, pino } from 'pino';
import { currentActivity } from './activity.ts';
import { openLines } from './log-lines.ts';
import { loggedError } from './logged-error.ts';

export type { Logger };

/** @param file default: standard output */
export function createLogger(level: string, file?: string): Logger {
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error) => loggedError(error) },
    // Adds the request id to every line logged for a request or its consequences.
    mixin: () => {
      const requestId = currentActivity()?.request_id;
      return requestId ? { request_id: requestId } : {};
    },
  };
  // The last lines are flushed at exit, unless the process is killed. A silent logger needs no flush timer.
  const where = file ? { dest: file, mkdir: true, mode: 0o600 } : { dest: 1 };
  return pino(options, openLines(where, level === 'silent' ? 0 : 100));
}
