/**
 * The command line, for operators and for users of the API: `npm run cli -- --help`.
 *
 * Exit codes: 0 success, 1 failure (one line on stderr says why), 2 wrong usage. Results go to stdout, everything else
 * to stderr.
 */

import { createProgram } from './api/cli/commands/program.ts';
import { exitCode } from './api/cli/failure.ts';
import { processEnvironment } from './platform/config/config.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error; // the reader had enough, as `head` does
});

try {
  await createProgram(processEnvironment).parseAsync();
} catch (error) {
  process.exitCode = exitCode(error);
}
