/**
 * Recovery after crashes and lost connections. It isn't a job, because the queue itself may be broken. Every worker sends
 * heartbeats; about two at a time also check, because all would find the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg, { type Pool } from 'pg';
import type { Logger } from '../platform/observe/log.ts';
import { createRepeatedWarning } from '../platform/observe/repeated-warning.ts';
import type { Machines } from '../platform/schema/machines.ts';
import { refreshStatistics } from '../platform/schema/statistics.ts';
import { overdueExports } from '../product/exports/overdue-exports.ts';
import { wakeExport } from '../product/exports/wake-exports.ts';
import { overdueImports } from '../product/imports/state/overdue-imports.ts';
import { wakeImports } from '../product/imports/state/wake-imports.ts';
import { aliveProcesses, freeAbandonedJobs, sendHeartbeat, workersWithoutSession } from './dead-workers.ts';
import { watchNewerJobs } from './newer-jobs.ts';
import { createPeers, type WorkerRank } from './worker-rank.ts';

/** Average number of workers that check. */
const checkingWorkers = 2;
/** A worker without a heartbeat is dead after holding jobs for this many rounds. */
const unknownRounds = 15;
/** Grace period without a session, in which a live process reconnects. */
const suspectGraceMs = 500;
const firstPauseMs = 100;
/** Workers without a heartbeat for this many rounds don't count as peers. */
const silentRounds = 5;

interface Upkeep {
  /** Checks immediately, after a lost connection: other processes miss the session. */
  checkNow(): void;
  stop(): Promise<void>;
}

interface UpkeepOptions {
  pool: Pool;
  machines?: Machines | undefined;
  /** Check interval, and how late work may be before it is overdue. */
  every_ms: number;
  /** How long a worker may go without a heartbeat; several times `every_ms`. */
  job_lease_s: number;
  /** The ids under which workers of this process lock jobs. */
  workers: () => readonly string[];
  freeLostJobs?: (db: Pool) => Promise<string[]>;
  peers?: WorkerRank;
  /** Unique session name of `pool`. Default: none, and only leases count. */
  session?: string;
  log: Logger;
}

export function startUpkeep(options: UpkeepOptions): Upkeep {
  const { every_ms: everyMs, job_lease_s: jobLeaseS, peers = createPeers(), log } = options;
  const stopping = new AbortController();
  const warning = createRepeatedWarning(log, 'could not check for overdue work');
  const checks = createChecks({ ...options, peers });
  let checkedMs = performance.now();
  let trustsAtMs = 0;
  // After an outage of this process, others get time to send heartbeats first.
  const wait = () => {
    trustsAtMs = performance.now() + 5 * everyMs;
  };
  let checkNow = () => {};
  let suspects = false;
  const run = async () => {
    let pauseMs = everyMs;
    for (let failures = 0; !stopping.signal.aborted; ) {
      if (performance.now() - checkedMs > (jobLeaseS * 1_000) / 2) wait();
      checkedMs = performance.now();
      let hasHeartbeat = false;
      try {
        await checks.peers(); // first, because the rest may take a while
        hasHeartbeat = true;
        await checks.lostJobs();
        if (suspects || peers.takesTurn(checkingWorkers)) {
          suspects = checkedMs >= trustsAtMs && (await checks.abandonedJobs());
          if (!suspects) await checks.work();
        }
        failures = 0;
        warning.ended();
        pauseMs = suspects ? Math.min(suspectGraceMs, everyMs) : everyMs * (0.9 + 0.2 * Math.random());
      } catch (error) {
        warning.failed(error as Error);
        if (!hasHeartbeat || !isOfStatement(error)) wait();
        pauseMs = Math.min(everyMs, firstPauseMs * 2 ** failures++); // soon: other processes miss the session
      }
      const interruption = new AbortController();
      checkNow = () => interruption.abort();
      await sleep(pauseMs, undefined, { signal: AbortSignal.any([stopping.signal, interruption.signal]) }).catch(
        () => {},
      );
    }
  };
  const running = run();
  return {
    checkNow: () => checkNow(),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Whether only a statement failed. If the connection did, those of others may have failed, too. */
function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57)/.test(error.code ?? '');
}

function createChecks(options: UpkeepOptions & { peers: WorkerRank }) {
  const {
    pool,
    machines,
    every_ms: everyMs,
    job_lease_s: jobLeaseS,
    workers,
    freeLostJobs = async () => [],
    peers,
    session,
    log,
  } = options;
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const all = { pool, machines };
  const checkNewerJobs = watchNewerJobs(pool, log);
  let suspects = new Set<string>();
  return {
    async peers(): Promise<void> {
      await sendHeartbeat(pool, workers(), session);
      // A process has several workers but is one peer.
      const own = session === undefined ? workers() : [session];
      peers.learn(await aliveProcesses(pool, silentRounds * everyMs), own);
    },
    async lostJobs(): Promise<void> {
      const freed = await freeLostJobs(pool);
      if (freed.length > 0) log.warn({ job_ids: freed }, 'released jobs assigned to this worker that never arrived');
    },
    async work(): Promise<void> {
      for (const overdue of await overdueExports(all, everyMs)) await wakeExport(db, overdue);
      for (const companyId of await overdueImports(all, everyMs)) await wakeImports(db, companyId);
      await refreshStatistics(pool);
      await checkNewerJobs();
    },
    /** @returns whether to check again soon: workers without a session in both checks are dead */
    async abandonedJobs(): Promise<boolean> {
      const found = session ? await workersWithoutSession(pool, session, unknownRounds * everyMs) : [];
      const ended = found.filter((id) => suspects.has(id));
      suspects = new Set(found.filter((id) => !ended.includes(id)));
      const freed = await freeAbandonedJobs(pool, jobLeaseS, ended);
      if (freed.workers > 0) log.warn({ workers: freed.workers }, 'released jobs of dead workers');
      for (const { id, task } of freed.parked) log.error({ job_id: id, task }, 'job parked: see `job list`');
      return suspects.size > 0;
    },
  };
}
