// Runs the API tests, the cluster tests, and the demo on a Citus cluster: `make proof NAME=cluster`, with WORKERS=2.
// TESTS=test/api/operations runs only those. Ends with "N passed, N failed", the total; the demo counts as one.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataFolder } from '../../src/platform/config/development.ts';
import { exit } from '../../src/platform/process/exit.ts';
import { clusterExclusions } from '../../test/runner/cluster-exclusions.ts';
import { quiet } from '../run/progress.ts';
import { findCitus, NoCitus } from './find-citus.ts';
import { startCluster } from './start-cluster.ts';

/** Exit code when nothing ran, distinct from success. */
const nothingRan = 3;
const built = resolve(join(dataFolder(process.env), 'cluster', 'built'));
const workers = process.env.WORKERS || '2';
const requestedTests = process.argv.slice(2);

interface Counts {
  passed: number;
  failed: number;
}

try {
  const { citus, postgres } = await findCitus(process.env, built);
  console.log(`Citus ${citus} in Postgres ${postgres.version}, workers: ${workers}`);
  exit(requestedTests.length > 0 ? (await run(jest(requestedTests))).code : await all());
} catch (error) {
  console.error((error as Error).message);
  exit(error instanceof NoCitus ? nothingRan : 1);
}

/** @returns 0 when everything passed; later parts run even if one fails */
async function all(): Promise<number> {
  for (const [file, reason] of Object.entries(clusterExclusions)) console.log(`Skipped: ${file}, which ${reason}`);
  const parts: [name: string, work: () => Promise<Counts>][] = [
    ['tests of the API', () => counted(jest(['--selectProjects', 'api']))],
    ['tests of the cluster', () => counted(jest(['--selectProjects', 'cluster']))],
    ['demo', async () => ((await demo()) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })],
  ];
  const sum: Counts = { passed: 0, failed: 0 };
  const lines: string[] = [];
  for (const [name, work] of parts) {
    const startedMs = performance.now();
    const { passed, failed } = await work();
    const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
    lines.push(`${name}: ${passed} passed, ${failed} failed, in ${minutes} minutes`);
    sum.passed += passed;
    sum.failed += failed;
  }
  console.log(['', ...lines, `${sum.passed} passed, ${sum.failed} failed`].join('\n'));
  return sum.failed === 0 ? 0 : 1;
}

interface Command {
  args: string[];
  env: NodeJS.ProcessEnv;
}

function jest(tests: string[]): Command {
  const env = { ...process.env, TEST_CLUSTER: workers, CITUS_BUILT: built, DATABASE_URL: undefined };
  const options = ['--disable-warning=ExperimentalWarning'];
  return { args: [...options, 'node_modules/jest/bin/jest.js', ...tests], env };
}

/** Parses the last line of a test run. A run that fails without a failed test counts as one failure. */
async function counted(command: Command): Promise<Counts> {
  const { code, output } = await run(command);
  const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  return { passed: Number(passed), failed: Math.max(Number(failed), code === 0 ? 0 : 1) };
}

/** Runs the demo on a cluster, started as by `make run`. @returns whether it passed */
async function demo(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-cluster-'));
  const machines = join(folder, 'machines');
  const cluster = await startCluster({ folder: machines, workers: Number(workers), built, progress: quiet });
  const env = { ...process.env, DATABASE_URL: cluster.url, DATA_DIR: join(folder, 'data'), NODE_ENV: 'development' };
  const service = spawn(process.execPath, ['scripts/run/run.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await new Promise<void>((ready, failed) => {
      service.stdout.on('data', (text: Buffer) => text.includes('Ready in') && ready());
      service.once('exit', (code) => failed(new Error(`the service ended with ${code} before it was ready`)));
    });
    // With DATABASE_URL, the demo would start its own service.
    return (await run({ args: ['scripts/demo/demo.ts'], env: { ...env, DATABASE_URL: undefined } })).code === 0;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  } finally {
    service.removeAllListeners('exit');
    const exited = new Promise((end) => (service.exitCode === null ? service.once('exit', end) : end(undefined)));
    service.kill('SIGTERM');
    await exited;
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function run({ args, env }: Command): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, { env, stdio: ['inherit', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const code = await new Promise<number>((end) => child.once('close', (code) => end(code ?? 1)));
  return { code, output };
}
