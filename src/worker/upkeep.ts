/**
 * Heals what a crash or a lost connection left behind. It is not a job: the queue itself may be what is broken. Every few seconds
 * each worker says that it lives; of many, two or so look meanwhile, because all would find the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from '../platform/observe/log.ts';
import type { Machines } from '../platform/schema/machines.ts';
import { freshenStatistics } from '../platform/schema/statistics.ts';
import type { Courier } from '../product/delivery/courier.ts';
import { overdueWebhooks } from '../product/delivery/overdue-deliveries.ts';
import { forgetGoneCouriers, type Presence } from '../product/delivery/presence.ts';
import { overdueExports } from '../product/exports/overdue-exports.ts';
import { wakeExport } from '../product/exports/wake-exports.ts';
import { overdueImports } from '../product/imports/state/overdue-imports.ts';
import { wakeImports } from '../product/imports/state/wake-imports.ts';
import { wakeWebhooks } from '../product/webhooks/wake-webhooks.ts';
import { aliveWorkers, freeAbandonedJobs, noteAlive } from './abandoned.ts';
import { watchNewerJobs } from './newer-jobs.ts';
import { createPeers, type Peers } from './peers.ts';

/** Workers that look at the same time, on average. */
const looking = 2;
/** Who has said nothing for so many rounds is not counted as a peer. */
const silentRounds = 5;

interface Upkeep {
  stop(): Promise<void>;
}

interface UpkeepOptions {
  pool: Pool;
  /** Of a cluster, where what is known of them is. */
  machines?: Machines | undefined;
  /** Also how long something may be due before it counts as overdue. */
  every_ms: number;
  /** How long a worker may give no sign of life; several times as long as `every_ms`. */
  job_lease_s: number;
  /** The workers of this process, by the names under which they lock jobs. */
  workers: () => readonly string[];
  /** Frees jobs that this process was given without hearing of it. Default: there are none. */
  freeLostJobs?: (db: Pool) => Promise<string[]>;
  /** Is told who there is. Default: nobody else. */
  peers?: Peers;
  /** Default: this process sends no webhooks. */
  sending?: { presence: Presence; courier: Courier };
  log: Logger;
}

export function startUpkeep(options: UpkeepOptions): Upkeep {
  const { every_ms: everyMs, job_lease_s: jobLeaseS, peers = createPeers(), log } = options;
  const stopping = new AbortController();
  const lookFor = lookingFor({ ...options, peers });
  let lookedMs = performance.now();
  let trustsAtMs = 0;
  // Who could not reach the database, or stood still, lets others say first that they live as well.
  const wait = () => {
    trustsAtMs = performance.now() + 5 * everyMs;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      if (performance.now() - lookedMs > (jobLeaseS * 1_000) / 2) wait();
      lookedMs = performance.now();
      try {
        await lookFor.peers(); // first: what follows may take a while
        await lookFor.lostJobs();
        if (peers.takesTurn(looking)) {
          await lookFor.work();
          if (lookedMs >= trustsAtMs) await lookFor.abandonedJobs();
        }
      } catch (error) {
        log.warn({ err: error }, 'no look at what is overdue');
        wait();
      }
      const pauseMs = everyMs * (0.9 + 0.2 * Math.random());
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function lookingFor(options: UpkeepOptions & { peers: Peers }) {
  const {
    pool,
    machines,
    every_ms: everyMs,
    job_lease_s: jobLeaseS,
    workers,
    freeLostJobs = async () => [],
    peers,
    sending,
    log,
  } = options;
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const all = { pool, machines };
  const lookForNewerJobs = watchNewerJobs(pool, log);
  return {
    async peers(): Promise<void> {
      await noteAlive(pool, workers());
      peers.learn(await aliveWorkers(pool, silentRounds * everyMs), workers());
      // What waited behind the claims of who is gone has its places now.
      if (!(await sending?.presence.look(pool))) return;
      for (const due of await overdueWebhooks(all, 0)) sending?.courier.wake(due);
    },
    async lostJobs(): Promise<void> {
      const freed = await freeLostJobs(pool);
      if (freed.length > 0)
        log.warn({ job_ids: freed }, 'jobs that were given to this worker, and lost on the way, were freed');
    },
    async work(): Promise<void> {
      await wakeWebhooks(db, await overdueWebhooks(all, everyMs));
      for (const overdue of await overdueExports(all, everyMs)) await wakeExport(db, overdue);
      for (const companyId of await overdueImports(all, everyMs)) await wakeImports(db, companyId);
      await forgetGoneCouriers(pool);
      await freshenStatistics(pool);
      await lookForNewerJobs();
    },
    async abandonedJobs(): Promise<void> {
      const freed = await freeAbandonedJobs(pool, jobLeaseS);
      if (freed.workers > 0) log.warn({ workers: freed.workers }, 'jobs of workers that are gone were freed');
      for (const { id, task } of freed.parked) log.error({ job_id: id, task }, 'job parked: see `job list`');
    },
  };
}
