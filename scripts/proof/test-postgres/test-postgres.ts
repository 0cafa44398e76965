// Runs the tests of units and of the API on other versions of Postgres: `make proof NAME=postgres VERSION="15 17" [TESTS=test/platform]`.
// With DATABASE_URL on that server instead. Ends with 0 only when all versions passed, and prints the counts of each. Ctrl-C ends
// the tests as well, and the Postgres they run on.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Failure } from '../../../packages/cli/src/terminal/failure.ts';
import { interruptible } from '../../../packages/cli/src/terminal/interrupt.ts';
import { startEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { exit } from '../../../src/platform/process/exit.ts';
import { databaseFolder } from '../../../test/helpers/database-folder.ts';
import { runJest } from '../run-jest.ts';
import { downloadPostgres, versions } from './download.ts';

const { positionals: tests, values } = parseArgs({
  allowPositionals: true,
  options: { versions: { type: 'string', default: Object.keys(versions).join(' ') } },
});
const wanted = values.versions.split(/[\s,]+/).filter(Boolean);

interface Counts {
  server: string;
  passed: number;
  failed: number;
}

const counts: Counts[] = [];
try {
  await interruptible(async (signal) => {
    if (process.env.DATABASE_URL) counts.push(await testOn(process.env.DATABASE_URL, signal));
    else for (const version of wanted) counts.push(await testVersion(version, signal));
  });
} catch (error) {
  console.error((error as Error).message);
  exit(error instanceof Failure ? error.exitCode : 1);
}
console.log('');
for (const { server, passed, failed } of counts) console.log(`${server}: ${passed} passed, ${failed} failed`);
exit(counts.every(({ passed, failed }) => passed > 0 && failed === 0) ? 0 : 1);

async function testVersion(version: string, signal: AbortSignal): Promise<Counts> {
  const other = await downloadPostgres(version);
  const folder = await databaseFolder();
  // What a crash would lose does not matter here: the data are thrown away in any case.
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
    await runJest(args, { env: { ...process.env, DATABASE_URL: url }, signal }); // it would print the results once more
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

/** What is used of jest's results. */
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
