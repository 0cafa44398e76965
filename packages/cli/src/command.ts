/**
 * Entry point of the `collaborators` command.
 *
 * Exit codes: 0 success, 1 failure (one line on stderr says why), 2 wrong usage, 130 interrupted. Results go to stdout,
 * everything else to stderr.
 */
import { readFileSync } from 'node:fs';
import { lastService } from './account/last-service.ts';
import { createProgram } from './program.ts';
import type { CliContext } from './terminal/context.ts';
import { CliError, exitCode } from './terminal/failure.ts';
import { ignoreEpipe } from './terminal/output.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const environment = process.env;

const context: CliContext = {
  environment,
  program: 'collaborators',
  folder: process.cwd(),
  async defaultAddress() {
    const known = await lastService(environment);
    if (known) return known;
    throw new CliError('which service? Set its URL with --base-url or API_URL', 2);
  },
};

ignoreEpipe();
try {
  await createProgram(context, version).parseAsync();
} catch (error) {
  process.exitCode = exitCode(error);
}
