/** The log of services and workers under test. The run's teardown reads it: see `test/runner/api-teardown.ts`. */
import { appendFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { type Logger, pino } from 'pino';

/** Appends each line by itself: an open file handle would keep everything that a test file has loaded in memory. */
export function testLog(): Logger {
  const write = (line: string) => appendFileSync(process.env.TEST_REQUEST_LOG ?? devNull, line);
  return pino({ level: 'info' }, { write });
}
