// Runs the tests of the API on a Citus cluster: `make test-cluster`, with WORKERS=2 and TESTS=test/api/operations.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { dataFolder } from '../../src/platform/config/development.ts';
import { exit } from '../../src/platform/process/exit.ts';
import { findCitus, NoCitus } from './find-citus.ts';

/** Of make and of who reads its end: nothing was tried, so nothing passed. */
const nothing_tried = 3;
const built = resolve(join(dataFolder(process.env), 'cluster', 'built'));
const asked = process.argv.slice(2);

try {
  const { citus, postgres } = await findCitus(process.env, built);
  const workers = process.env.WORKERS || '2';
  console.log(`Citus ${citus} in Postgres ${postgres.version}, workers: ${workers}`);
  exit(await jest(workers, asked.length > 0 ? asked : ['--selectProjects', 'api']));
} catch (error) {
  console.error((error as Error).message);
  exit(error instanceof NoCitus ? nothing_tried : 1);
}

function jest(workers: string, tests: string[]): Promise<number> {
  const env = { ...process.env, TEST_CLUSTER: workers, CITUS_BUILT: built, DATABASE_URL: undefined };
  const program = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const run = spawn(process.execPath, [...program, ...tests], { env, stdio: 'inherit' });
  return new Promise((ended) => run.once('exit', (code) => ended(code ?? 1)));
}
