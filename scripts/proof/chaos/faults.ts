// The faults: what is done, for how long, and in which order. The schedule follows from the seed alone.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../random/random.ts';
import type { World } from './world.ts';

export interface FaultKind {
  name: string;
  /** Why it can't be done here; undefined when it can. */
  skipped?(world: World): string | undefined;
  /** Resolves when the cause is gone: the service has to come back by itself from then on. */
  run(world: World, hold_ms: number): Promise<void>;
}

export interface Fault {
  kind: FaultKind;
  /** After the start of the traffic. */
  at_ms: number;
  hold_ms: number;
}

/** What became of a fault. */
export interface FaultRecord {
  name: string;
  skipped?: string | undefined;
  started_ms: number;
  cleared_ms: number;
}

const kill = (of: 'api' | 'workers', n: number, signal: 'SIGKILL' | 'SIGTERM'): FaultKind => ({
  name: `${signal} ${of === 'api' ? 'api' : 'worker'}-${n + 1}`,
  run: (world) => world[of][n]!.end(signal),
});

const postgres = (how: 'fast' | 'immediate'): FaultKind => ({
  name: `Postgres restarted (${how})`,
  run: ({ postgres }, hold_ms) => postgres.restart(how, hold_ms),
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

/** They stay open, and nothing passes; new ones work. */
const silent: FaultKind = {
  name: 'connections to Postgres silent',
  async run({ postgres: { gate } }, hold_ms) {
    gate.silence();
    await sleep(hold_ms);
  },
};

const half_open: FaultKind = {
  name: 'connections to Postgres half-open',
  async run({ postgres: { gate } }, hold_ms) {
    gate.silence(Math.round(hold_ms) % 2 ? 'answers' : 'requests');
    await sleep(hold_ms);
  },
};

/** Its host is lost, of which no connection tells, and another takes over at its address. */
const moved: FaultKind = {
  name: 'Postgres moved',
  async run({ postgres }, hold_ms) {
    postgres.gate.silence();
    await postgres.restart('immediate', hold_ms);
  },
};

const disk_full: FaultKind = {
  name: 'disk for files full',
  async run({ disk }, hold_ms) {
    await disk.fill();
    try {
      await sleep(hold_ms);
    } finally {
      await disk.free();
    }
  },
};

const mail_down: FaultKind = {
  name: 'mail server down',
  async run({ smtp }, hold_ms) {
    smtp.gate.shut();
    await sleep(hold_ms);
    smtp.gate.open();
  },
};

const store_away: FaultKind = {
  name: 'S3 unreachable',
  skipped: ({ store }) => (store.gate ? undefined : 'files are in a folder, or in a store that can not be shut off'),
  async run({ store: { gate } }, hold_ms) {
    gate!.shut();
    await sleep(hold_ms);
    gate!.open();
  },
};

const store_ill: FaultKind = {
  name: 'S3 answers 500',
  skipped: ({ store }) => (store.fail ? undefined : 'there is no store of our own in this run'),
  async run({ store: { fail } }, hold_ms) {
    fail!(500);
    await sleep(hold_ms);
    fail!(undefined);
  },
};

const machine_lost: FaultKind = {
  name: 'machine of the cluster lost',
  skipped: ({ postgres }) => (postgres.loseMachine ? undefined : 'the database is on one machine: CLUSTER=1'),
  run: ({ postgres }, hold_ms) => postgres.loseMachine!(hold_ms),
};

/** A machine goes down with all that is on it: processes have to start while there is no database yet. */
const all_at_once: FaultKind = {
  name: 'everything killed at once',
  async run(world, hold_ms) {
    await Promise.all([
      world.postgres.restart('immediate', hold_ms),
      ...[...world.api, ...world.workers].map((each) => each.end('SIGKILL')),
    ]);
  },
};

export const faults: Record<string, FaultKind> = {
  kill_api_1: kill('api', 0, 'SIGKILL'),
  kill_api_2: kill('api', 1, 'SIGKILL'),
  kill_worker_1: kill('workers', 0, 'SIGKILL'),
  kill_worker_2: kill('workers', 1, 'SIGKILL'),
  stop_api: kill('api', 0, 'SIGTERM'),
  stop_worker: kill('workers', 0, 'SIGTERM'),
  postgres_fast: postgres('fast'),
  postgres_immediate: postgres('immediate'),
  terminate,
  silent,
  half_open,
  moved,
  disk_full,
  mail_down,
  store_away,
  store_ill,
  all_at_once,
  machine_lost,
};

/** The first comes after this share of the time, the last before that one: there is quiet traffic on both sides. */
const first_at = 0.06;
const last_before = 0.9;
/** How many come in a minute. */
const most_a_minute = 14;
const shortest_hold_ms = 300;
const longest_hold_ms = 2_500;
const longest_start_ms = 60_000;
const shortest_pause_ms = 1_000;

/** Every kind once, and again for as long as there is time, spread over the traffic. */
export function schedule(random: Random, seconds: number, kinds: readonly FaultKind[]): Fault[] {
  const count = Math.max(kinds.length, Math.floor((seconds * most_a_minute) / 60));
  const drawn: FaultKind[] = [];
  while (drawn.length < count) drawn.push(...random.shuffled(kinds));
  const slot_ms = (seconds * 1_000 * (last_before - first_at)) / count;
  return drawn.slice(0, count).map((kind, n) => ({
    kind,
    at_ms: seconds * 1_000 * first_at + slot_ms * (n + 0.5 * random.next()),
    hold_ms: shortest_hold_ms + random.below(Math.min(longest_hold_ms, slot_ms * 0.6)),
  }));
}

/**
 * Does them, each at its time; but on a slow machine not before some API and some worker are up again after the one
 * before: what breaks while all is down shows nothing.
 */
export async function inject(world: World, faults: readonly Fault[], started_ms: number): Promise<FaultRecord[]> {
  const records: FaultRecord[] = [];
  for (const { kind, at_ms, hold_ms } of faults) {
    const since_last_ms = performance.now() - (records.at(-1)?.cleared_ms ?? Number.NEGATIVE_INFINITY);
    await sleep(Math.max(0, started_ms + at_ms - performance.now(), shortest_pause_ms - since_last_ms));
    const up = [world.api, world.workers].map((group) => Promise.race(group.map((each) => each.ready())));
    await Promise.race([Promise.all(up), sleep(longest_start_ms, undefined, { ref: false })]);
    const record: FaultRecord = { name: kind.name, started_ms: performance.now(), cleared_ms: 0 };
    record.skipped = kind.skipped?.(world);
    if (!record.skipped) await kind.run(world, hold_ms);
    record.cleared_ms = performance.now();
    records.push(record);
  }
  return records;
}
