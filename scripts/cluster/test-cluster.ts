// Runs the tests of the API on a Citus cluster, those of the cluster itself, and the demo: `make test-cluster`, with WORKERS=2.
// TESTS=test/api/operations runs those alone.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataFolder } from '../../src/platform/config/development.ts';
import { exit } from '../../src/platform/process/exit.ts';
import { quiet } from '../run/progress.ts';
import { findCitus, NoCitus } from './find-citus.ts';
import { startCluster } from './start-cluster.ts';

/** Of make and of who reads its end: nothing was tried, so nothing passed. */
const nothing_tried = 3;
const built = resolve(join(dataFolder(process.env), 'cluster', 'built'));
const workers = process.env.WORKERS || '2';
const asked = process.argv.slice(2);

try {
  const { citus, postgres } = await findCitus(process.env, built);
  console.log(`Citus ${citus} in Postgres ${postgres.version}, workers: ${workers}`);
  exit(asked.length > 0 ? await jest(asked) : await all());
} catch (error) {
  console.error((error as Error).message);
  exit(error instanceof NoCitus ? nothing_tried : 1);
}

/** @returns 0 when all of it went well; what follows is tried in any case */
async function all(): Promise<number> {
  const codes = [await jest(['--selectProjects', 'api']), await jest(['--selectProjects', 'cluster']), await demo()];
  return codes.every((code) => code === 0) ? 0 : 1;
}

function jest(tests: string[]): Promise<number> {
  const env = { ...process.env, TEST_CLUSTER: workers, CITUS_BUILT: built, DATABASE_URL: undefined };
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  return ended([...options, 'node_modules/jest/bin/jest.js', ...tests], env);
}

/** Against a service on a cluster, as `make run` starts it. */
async function demo(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-cluster-'));
  const cluster = await startCluster({
    folder: join(folder, 'machines'),
    workers: Number(workers),
    built,
    progress: quiet,
  });
  const env = { ...process.env, DATABASE_URL: cluster.url, DATA_DIR: join(folder, 'data'), NODE_ENV: 'development' };
  const service = spawn(process.execPath, ['scripts/run/run.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await new Promise<void>((ready, failed) => {
      service.stdout.on('data', (text: Buffer) => text.includes('Ready in') && ready());
      service.once('exit', (code) => failed(new Error(`the service ended with ${code} before it was ready`)));
    });
    return await ended(['scripts/demo/demo.ts'], env);
  } finally {
    service.removeAllListeners('exit');
    const gone = new Promise((end) => service.once('exit', end));
    service.kill('SIGTERM');
    await gone;
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function ended(command: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const run = spawn(process.execPath, command, { env, stdio: 'inherit' });
  return new Promise((end) => run.once('exit', (code) => end(code ?? 1)));
}
