/**
 * Entry point of the `collaborators` command.
 *
 * Exit codes: 0 success, 1 failure (one line on stderr says why), 2 wrong usage, 130 interrupted. Results go to stdout,
 * everything else to stderr.
 */
import { readFileSync } from 'node:fs';
import { lastService } from './account/last-service.ts';
import { createProgram } from './program.ts';
import { exitCode, Failure } from './terminal/failure.ts';
import { endQuietlyWithReader } from './terminal/output.ts';
import type { Place } from './terminal/place.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const environment = process.env;

const place: Place = {
  environment,
  program: 'collaborators',
  folder: process.cwd(),
  async nearAddress() {
    const known = await lastService(environment);
    if (known) return known;
    throw new Failure('which service? Give its address with --base-url, or in API_URL', 2);
  },
};

endQuietlyWithReader();
try {
  await createProgram(place, version).parseAsync();
} catch (error) {
  process.exitCode = exitCode(error);
}
