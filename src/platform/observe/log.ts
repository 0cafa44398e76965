/** Structured logs, one JSON object per line. Bodies, headers, tokens and other secrets are never logged. */
import { type Logger, type LoggerOptions, pino } from 'pino';
import { currentActivity } from './activity.ts';

export type { Logger };

/** @param file where lines go instead of standard output */
export function createLogger(level: string, file?: string): Logger {
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // Whatever is logged for a request, or for what it caused, can be found by its id.
    mixin: () => {
      const request_id = currentActivity()?.request_id;
      return request_id ? { request_id } : {};
    },
  };
  // Not each line at once, which would cost every request a system call: what a busy moment logs is written together.
  // The last lines are written when the process ends, unless it is killed. Where nothing is logged no timer has to run.
  const where = file ? { dest: file, mkdir: true, mode: 0o600 } : { dest: 1 };
  const periodicFlush = level === 'silent' ? 0 : 100;
  const lines = pino.destination({
    ...where,
    sync: false,
    minLength: 4_096,
    maxLength: most_waiting_bytes,
    periodicFlush,
  });
  // A disk that is full, a reader that is gone: lines are lost, the service is not.
  lines.once('error', (error) => console.error(`The log can not be written: ${error}`));
  lines.on('error', () => {});
  return pino(options, lines);
}

/** Of lines that can not be written; those that come then are left out. */
const most_waiting_bytes = 16 * 1024 * 1024;
