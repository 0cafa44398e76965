/**
 * Structured logs, one JSON object per line. Bodies, headers, tokens and other secrets are never logged, nor names and
 * addresses of people.
 */
import { type Logger, type LoggerOptions, pino } from 'pino';
import { currentActivity } from './activity.ts';
import { openLines } from './log-lines.ts';
import { loggedError } from './logged-error.ts';

export type { Logger };

/** @param file where lines go instead of standard output */
export function createLogger(level: string, file?: string): Logger {
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error) => loggedError(error) },
    // Whatever is logged for a request, or for what it caused, can be found by its id.
    mixin: () => {
      const requestId = currentActivity()?.request_id;
      return requestId ? { request_id: requestId } : {};
    },
  };
  // The last lines are written when the process ends, unless it is killed. Where nothing is logged no timer has to run.
  const where = file ? { dest: file, mkdir: true, mode: 0o600 } : { dest: 1 };
  return pino(options, openLines(where, level === 'silent' ? 0 : 100));
}
