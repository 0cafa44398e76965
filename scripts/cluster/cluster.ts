// Starts a local Citus cluster and runs it until Ctrl-C: `make cluster`, with WORKERS=2. `--stop` stops one.
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataFolder } from '../../src/platform/config/data-folder.ts';
import { dataFolder } from '../../src/platform/config/development.ts';
import { isAlive } from '../../src/platform/embedded/folder-lock.ts';
import { exit } from '../../src/platform/process/exit.ts';
import { startProblem } from '../../src/platform/process/start-problem.ts';
import { printProgress } from '../run/progress.ts';
import { untilSignal } from '../run/until-signal.ts';
import { startCluster } from './start-cluster.ts';

const maxWorkers = 8;
const folder = join(dataFolder(process.env), 'cluster');
const running = join(folder, 'running.pid');

try {
  await (process.argv.includes('--stop') ? stop() : start());
} catch (error) {
  console.error(startProblem(error));
  exit(1);
}

async function start(): Promise<void> {
  const workers = Number(process.env.WORKERS || 2);
  if (!Number.isInteger(workers) || workers < 0 || workers > maxWorkers) {
    throw new Error(`WORKERS must be a number from 0 to ${maxWorkers}`);
  }
  if (await runningProcess()) throw new Error('a cluster is already running: `make cluster STOP=1` stops it');
  const ended = untilSignal();
  const keepAliveTimer = setInterval(() => {}, 60_000); // signal handlers alone don't keep the process alive
  await makeDataFolder(folder);
  await writeFile(running, String(process.pid));
  try {
    const data = join(folder, `${workers}-workers`);
    const cluster = await startCluster({
      folder: data,
      workers,
      built: join(folder, 'built'),
      progress: printProgress,
    });
    console.log(nextSteps(cluster.url, cluster.urls));
    await ended;
    console.log('\nStopping …');
    await cluster.stop();
  } finally {
    clearInterval(keepAliveTimer);
    await rm(running, { force: true });
  }
  exit(0);
}

/** Stops the process that runs the cluster, or the servers of a process that was killed. */
async function stop(): Promise<void> {
  const clusterProcess = await runningProcess();
  if (clusterProcess) process.kill(clusterProcess, 'SIGTERM');
  while (clusterProcess && isAlive(clusterProcess)) await sleep(100);
  const remainingPids = await remainingServers();
  for (const pid of remainingPids) process.kill(pid, 'SIGINT');
  while (remainingPids.some(isAlive)) await sleep(100);
  console.log(clusterProcess || remainingPids.length > 0 ? 'Stopped.' : 'No cluster is running.');
}

async function remainingServers(): Promise<number[]> {
  const pids: number[] = [];
  for await (const file of glob(join(folder, '*-workers', '*', 'data', 'postmaster.pid'))) {
    const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
    if (pid && isAlive(pid)) pids.push(pid);
  }
  return pids;
}

async function runningProcess(): Promise<number | undefined> {
  const pid = Number(await readFile(running, 'utf8').catch(() => ''));
  return pid && isAlive(pid) ? pid : undefined;
}

function nextSteps(url: string, [coordinator, ...workers]: string[]): string {
  const list = workers.map((worker, index) => `  Worker ${index + 1}      ${worker}\n`);
  return `
  DATABASE_URL  ${url}

  Coordinator   ${coordinator}   (as a superuser)
${list.join('')}
Run the service on it, from another terminal:

  DATABASE_URL=${url} make run

Ctrl-C stops it; the data stay in ${folder}.
`;
}
