// A dedicated Citus cluster: a coordinator, and two workers that can fail in turn.
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../../src/platform/embedded/folder-lock.ts';
import { databaseUrl } from '../../../cluster/nodes.ts';
import { startCluster as start } from '../../../cluster/start-cluster.ts';
import { beforeExit } from '../../../run/before-exit.ts';
import { quiet } from '../../../run/progress.ts';
import { gateTo, type Postgres, queryAt } from './postgres.ts';

const workers = 2;
const coordinator = 0;

/** @param cleanups receives the cleanup functions */
export async function startCluster(folder: string, cleanups: (() => Promise<unknown>)[]): Promise<Postgres> {
  const cluster = await start({ folder, workers, built: resolve('.data/cluster/built'), progress: quiet });
  const cancelExitHook = beforeExit(() => {
    for (const pid of cluster.pids) process.kill(pid, 'SIGQUIT');
  });
  cleanups.push(async () => {
    await cluster.stop();
    cancelExitHook();
  });
  const restart = async (machine: number, signal: NodeJS.Signals, downMs: number) => {
    const pid = cluster.pids[machine]!;
    process.kill(pid, signal);
    while (isAlive(pid)) await sleep(10);
    await sleep(downMs);
    await cluster.restart(machine);
  };
  const { url, urls } = cluster;
  const { pathname } = new URL(url);
  let last = coordinator;
  return {
    url,
    ...(await gateTo(url, cleanups)),
    query: queryAt(databaseUrl(urls[coordinator]!, pathname.slice(1))),
    restart: (mode, downMs) => restart(coordinator, mode === 'fast' ? 'SIGINT' : 'SIGQUIT', downMs),
    loseMachine(downMs) {
      last = (last % workers) + 1;
      return restart(last, 'SIGQUIT', downMs);
    },
  };
}
