/**
 * The command line of a checkout, for operators and API users: `npm run cli -- --help`. API user commands come from
 * `packages/cli`.
 *
 * Exit codes: 0 success, 1 failure (stderr has one line with the reason), 2 wrong usage, 130 interrupted. Results go to stdout,
 * everything else to stderr.
 */
import { exitCode } from '../packages/cli/src/terminal/failure.ts';
import { ignoreEpipe } from '../packages/cli/src/terminal/output.ts';
import { checkoutContext } from './api/cli/checkout-context.ts';
import { createProgram } from './api/cli/commands/program.ts';
import { processEnvironment } from './platform/config/config.ts';
import { startProblem } from './platform/process/start-problem.ts';

ignoreEpipe();
try {
  await createProgram(checkoutContext(processEnvironment, process.cwd())).parseAsync();
} catch (error) {
  process.exitCode = exitCode(error, startProblem);
}
