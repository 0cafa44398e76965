// Runs the unit and API tests on other Postgres versions: `make proof NAME=postgres VERSION="15 17" [TESTS=test/platform]`, or on
// the server of DATABASE_URL. Exits with 0 only if all versions pass, and prints the counts of each. Ctrl-C stops the tests and
// their Postgres.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { interruptible } from '../../../packages/cli/src/terminal/interrupt.ts';
import { startEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { exit } from '../../../src/platform/process/exit.ts';
import { databaseFolder } from '../../../test/helpers/database/database-folder.ts';
import { runJest } from '../run-jest.ts';
import { downloadPostgres, versions } from './download.ts';

const { positionals: tests, values } = parseArgs({
  allowPositionals: true,
  options: { versions: { type: 'string', default: Object.keys(versions).join(' ') } },
});
const requestedVersions = values.versions.split(/[\s,]+/).filter(Boolean);

interface Counts {
  server: string;
  passed: number;
  failed: number;
}

const counts: Counts[] = [];
try {
  await interruptible(async (signal) => {
    if (process.env.DATABASE_URL) counts.push(await testOn(process.env.DATABASE_URL, signal));
    else for (const version of requestedVersions) counts.push(await testVersion(version, signal));
  });
} catch (error) {
  console.error((error as Error).message);
  exit(error instanceof CliError ? error.exitCode : 1);
}
console.log('');
for (const { server, passed, failed } of counts) console.log(`${server}: ${passed} passed, ${failed} failed`);
exit(counts.every(({ passed, failed }) => passed > 0 && failed === 0) ? 0 : 1);

async function testVersion(version: string, signal: AbortSignal): Promise<Counts> {
  const other = await downloadPostgres(version);
  const folder = await databaseFolder();
  // Durability does not matter: the data is discarded.
  const careless = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
  const server = await startEmbedded(folder, careless, { other });
  try {
    return await testOn(server.url, signal);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function testOn(url: string, signal: AbortSignal): Promise<Counts> {
  const server = await nameOf(url);
  console.log(`${server}:`);
  const folder = await mkdtemp(join(tmpdir(), 'test-postgres-'));
  try {
    const results = join(folder, 'results.json');
    const args = ['--json', '--outputFile', results, '--selectProjects', 'unit', 'api'];
    if (tests.length > 0) args.push('--testPathPatterns', ...tests);
    await runJest(args, { env: { ...process.env, DATABASE_URL: url }, signal }); // it would print the results again
    const { numPassedTests: passed, numFailedTests, numRuntimeErrorTestSuites, success } = await readResults(results);
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    return { server, passed, failed: success ? failed : Math.max(failed, 1) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function nameOf(url: string): Promise<string> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
  await client.end();
  return `Postgres ${rows[0]!.version.split(' ')[0]}`;
}

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that failed before their first test. */
  numRuntimeErrorTestSuites: number;
  success: boolean;
}

async function readResults(file: string): Promise<Results> {
  return JSON.parse(await readFile(file, 'utf8'));
}
