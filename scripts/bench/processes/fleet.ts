/** Child processes that stand for many service processes, and the database load they cause. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { ChildFigures, ChildOptions, Load } from './messages.ts';

const childProgram = fileURLToPath(new URL('child.ts', import.meta.url));
const maxInstances = 10;

export interface Fleet {
  /** @param load of one API instance */
  setLoad(load: Load): void;
  figures(): Promise<ChildFigures>;
  end(): Promise<void>;
}

/** @param env settings of the service */
export async function startFleet(
  counts: Record<ChildOptions['role'], number>,
  url: string,
  env: Record<string, string>,
): Promise<Fleet> {
  const children: { role: ChildOptions['role']; child: ChildProcess }[] = [];
  for (const role of ['api', 'worker'] as const) {
    for (let remaining = counts[role]; remaining > 0; remaining -= maxInstances) {
      const options: ChildOptions = { role, instances: Math.min(remaining, maxInstances), url };
      const child = fork(childProgram, [JSON.stringify(options)], { env: { PATH: process.env.PATH, ...env } });
      children.push({ role, child });
    }
  }
  await Promise.all(children.map(({ child }) => once(child, 'message')));
  return {
    setLoad(load) {
      for (const { role, child } of children) if (role === 'api') child.send(load);
    },
    async figures() {
      const all = await Promise.all(
        children.map(async ({ child }) => {
          const reply = once(child, 'message');
          child.send('figures');
          return (await reply)[0] as ChildFigures;
        }),
      );
      const sum = (of: (figures: ChildFigures) => number) => all.reduce((total, each) => total + of(each), 0);
      return { notified: sum((f) => f.notified), cpuMs: sum((f) => f.cpuMs), memory_mb: sum((f) => f.memory_mb) };
    },
    async end() {
      for (const { child } of children) child.kill('SIGKILL');
      await Promise.all(children.map(({ child }) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
    },
  };
}

/** CPU time of a Postgres server and its sessions, in ms. Linux only. */
export async function postgresCpu(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `select pg_stat_file('postmaster.pid') is not null as there, split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`,
  );
  const postmaster = rows[0]!.pid;
  let ticks = 0;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'latin1').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isPostmaster = Number(entry) === postmaster;
    if (!isPostmaster && Number(fields[1]) !== postmaster) continue;
    ticks += Number(fields[11]) + Number(fields[12]);
    if (isPostmaster) ticks += Number(fields[13]) + Number(fields[14]); // of ended child processes
  }
  return ticks * 10; // clock ticks of 10 ms
}
