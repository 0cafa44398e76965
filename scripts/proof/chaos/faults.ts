// The faults, their duration, and their order. The schedule depends only on the seed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../random/random.ts';
import type { World } from './world.ts';

export interface FaultKind {
  name: string;
  /** Why it can't run here; undefined if it can. */
  skipped?(world: World): string | undefined;
  /** Resolves when the cause is gone; the service must recover by itself from then on. */
  run(world: World, holdMs: number): Promise<void>;
}

export interface Fault {
  kind: FaultKind;
  /** Relative to the start of the traffic. */
  atMs: number;
  holdMs: number;
}

export interface FaultRecord {
  name: string;
  skipped?: string | undefined;
  startedMs: number;
  clearedMs: number;
}

const kill = (of: 'api' | 'workers', n: number, signal: 'SIGKILL' | 'SIGTERM'): FaultKind => ({
  name: `${signal} ${of === 'api' ? 'api' : 'worker'}-${n + 1}`,
  run: (world) => world[of][n]!.end(signal),
});

const postgres = (mode: 'fast' | 'immediate'): FaultKind => ({
  name: `Postgres restarted (${mode})`,
  run: ({ postgres }, holdMs) => postgres.restart(mode, holdMs),
});

const terminate: FaultKind = {
  name: 'connections terminated',
  async run({ postgres }) {
    await postgres.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'chaos'`,
    );
  },
};

/** Existing connections hang; new ones work. */
const silent: FaultKind = {
  name: 'connections to Postgres silent',
  async run({ postgres: { gate } }, holdMs) {
    gate.silence();
    await sleep(holdMs);
  },
};

const halfOpen: FaultKind = {
  name: 'connections to Postgres half-open',
  async run({ postgres: { gate } }, holdMs) {
    gate.silence(Math.round(holdMs) % 2 ? 'answers' : 'requests');
    await sleep(holdMs);
  },
};

/** The host is lost without closing connections, and another takes over its address. */
const moved: FaultKind = {
  name: 'Postgres moved',
  async run({ postgres }, holdMs) {
    postgres.gate.silence();
    await postgres.restart('immediate', holdMs);
  },
};

const diskFull: FaultKind = {
  name: 'disk for files full',
  async run({ disk }, holdMs) {
    await disk.fill();
    try {
      await sleep(holdMs);
    } finally {
      await disk.free();
    }
  },
};

const mailDown: FaultKind = {
  name: 'mail server down',
  async run({ smtp }, holdMs) {
    smtp.gate.shut();
    await sleep(holdMs);
    smtp.gate.open();
  },
};

const storeAway: FaultKind = {
  name: 'S3 unreachable',
  skipped: ({ store }) => (store.gate ? undefined : 'files are in a folder, or in a store that cannot be shut off'),
  async run({ store: { gate } }, holdMs) {
    gate!.shut();
    await sleep(holdMs);
    gate!.open();
  },
};

const storeIll: FaultKind = {
  name: 'S3 responds with 500',
  skipped: ({ store }) => (store.fail ? undefined : 'there is no store of our own in this run'),
  async run({ store: { fail } }, holdMs) {
    fail!(500);
    await sleep(holdMs);
    fail!(undefined);
  },
};

const machineLost: FaultKind = {
  name: 'machine of the cluster lost',
  skipped: ({ postgres }) => (postgres.loseMachine ? undefined : 'the database is on one machine: CLUSTER=1'),
  run: ({ postgres }, holdMs) => postgres.loseMachine!(holdMs),
};

/** A machine fails with everything on it: processes must start before the database is up. */
const allAtOnce: FaultKind = {
  name: 'everything killed at once',
  async run(world, holdMs) {
    await Promise.all([
      world.postgres.restart('immediate', holdMs),
      ...[...world.api, ...world.workers].map((each) => each.end('SIGKILL')),
    ]);
  },
};

export const faults: Record<string, FaultKind> = {
  kill_api_1: kill('api', 0, 'SIGKILL'),
  kill_api_2: kill('api', 1, 'SIGKILL'),
  kill_worker_1: kill('workers', 0, 'SIGKILL'),
  kill_worker_2: kill('workers', 1, 'SIGKILL'),
  stopApi: kill('api', 0, 'SIGTERM'),
  stopWorker: kill('workers', 0, 'SIGTERM'),
  postgresFast: postgres('fast'),
  postgresImmediate: postgres('immediate'),
  terminate,
  silent,
  halfOpen,
  moved,
  disk_full: diskFull,
  mailDown,
  storeAway,
  storeIll,
  allAtOnce,
  machineLost,
};

/** Shares of the time between which faults start, so that there is traffic without faults on both sides. */
const firstAt = 0.06;
const lastBefore = 0.9;
/** Faults per minute. */
const maxPerMinute = 14;
const shortestHoldMs = 300;
const maxHoldMs = 2_500;
const maxStartMs = 60_000;
const shortestPauseMs = 1_000;

/** Runs every kind once, and repeats them while time remains, spread over the traffic. */
export function schedule(random: Random, seconds: number, kinds: readonly FaultKind[]): Fault[] {
  const count = Math.max(kinds.length, Math.floor((seconds * maxPerMinute) / 60));
  const picked: FaultKind[] = [];
  while (picked.length < count) picked.push(...random.shuffled(kinds));
  const slotMs = (seconds * 1_000 * (lastBefore - firstAt)) / count;
  return picked.slice(0, count).map((kind, n) => ({
    kind,
    atMs: seconds * 1_000 * firstAt + slotMs * (n + 0.5 * random.next()),
    holdMs: shortestHoldMs + random.below(Math.min(maxHoldMs, slotMs * 0.6)),
  }));
}

/** Injects the faults at their times, but waits for an API process and a worker first: a fault while all are down shows nothing. */
export async function inject(world: World, faults: readonly Fault[], startedMs: number): Promise<FaultRecord[]> {
  const records: FaultRecord[] = [];
  for (const { kind, atMs, holdMs } of faults) {
    const sinceLastMs = performance.now() - (records.at(-1)?.clearedMs ?? Number.NEGATIVE_INFINITY);
    await sleep(Math.max(0, startedMs + atMs - performance.now(), shortestPauseMs - sinceLastMs));
    const up = [world.api, world.workers].map((group) => Promise.race(group.map((each) => each.ready())));
    await Promise.race([Promise.all(up), sleep(maxStartMs, undefined, { ref: false })]);
    const record: FaultRecord = { name: kind.name, startedMs: performance.now(), clearedMs: 0 };
    record.skipped = kind.skipped?.(world);
    if (!record.skipped) await kind.run(world, holdMs);
    record.clearedMs = performance.now();
    records.push(record);
  }
  return records;
}
