// Runs the tests of units and of the API on other versions of Postgres: `make test-postgres VERSION="15 17" [TESTS=test/platform]`.
// With DATABASE_URL on that server instead. Ends with 0 only when all versions passed, and prints the counts of each.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { exit } from '../../../src/platform/process/exit.ts';
import { databaseFolder } from '../../../test/helpers/database-folder.ts';
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
  if (process.env.DATABASE_URL) counts.push(await testOn(process.env.DATABASE_URL));
  else for (const version of wanted) counts.push(await testVersion(version));
} catch (error) {
  console.error((error as Error).message);
  exit(1);
}
console.log('');
for (const { server, passed, failed } of counts) console.log(`${server}: ${passed} passed, ${failed} failed`);
exit(counts.every(({ passed, failed }) => passed > 0 && failed === 0) ? 0 : 1);

async function testVersion(version: string): Promise<Counts> {
  const other = await downloadPostgres(version);
  const folder = await databaseFolder();
  // What a crash would lose does not matter here: the data are thrown away in any case.
  const careless = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
  const server = await startEmbedded(folder, careless, other);
  try {
    return await testOn(server.url);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function testOn(url: string): Promise<Counts> {
  const server = await nameOf(url);
  console.log(`${server}:`);
  const folder = await mkdtemp(join(tmpdir(), 'test-postgres-'));
  try {
    const results = join(folder, 'results.json');
    const args = ['--experimental-vm-modules', '--no-compilation-cache', '--disable-warning=ExperimentalWarning'];
    args.push('node_modules/jest/bin/jest.js', '--json', '--outputFile', results, '--selectProjects', 'unit', 'api');
    const run = spawn(process.execPath, [...args, ...(tests.length > 0 ? ['--testPathPatterns', ...tests] : [])], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: ['ignore', 'ignore', 'inherit'], // standard output is the results once more
    });
    await new Promise((ended) => run.once('exit', ended));
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
