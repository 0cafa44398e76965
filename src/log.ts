/** Structured logs, one JSON object a line. Secrets never reach it: no bodies, no headers, no tokens are logged. */
import { type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger };

/** @param file where lines go instead of standard output */
export function createLogger(level: string, file?: string): Logger {
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  return file ? pino(options, pino.destination({ dest: file, mkdir: true, mode: 0o600 })) : pino(options);
}
