/** Supervises graphile-worker's runner, which can end by itself: logs it, and starts a new runner after a pause. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as GraphileLogger, type Runner, run, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { defaultTimeout, type SilentConnection, type SocketTimeout } from '../platform/connection/postgres-client.ts';
import { workerSessionTo } from '../platform/connection/session.ts';
import type { Logger } from '../platform/observe/log.ts';
import { sanitizeError } from '../platform/observe/logged-error.ts';
import { newerFlags } from '../platform/queue/job-versions.ts';
import { freeJobs, type Queryable } from './free-jobs.ts';
import { type LostJobs, watchLostJobs } from './lost-jobs.ts';
import { wakeInTurn } from './wake-in-turn.ts';
import { createPeers, type WorkerRank } from './worker-rank.ts';

const shortestPauseMs = 200;
const maxPauseMs = 5_000;
/** The library's own polling is nearly off: `wakeInTurn` polls for the whole process. */
const libraryPollMs = 60_000;
const maxEndMs = 5_000;
/** "Cached plan must not change result type". */
const planChanged = '0A000';
/** Responses arrive far sooner, and statement timeouts end any query within two minutes. */
const defaultChecks = { every_ms: 10_000, checkForMs: 120_000 };

export interface RunnerOptions {
  url: string;
  socketTimeout?: SocketTimeout;
  concurrency: number;
  tasks: TaskList;
  /** Scheduled tasks (UTC); each runs once across all workers. */
  crontab: string;
  poll_ms: number;
  peers?: WorkerRank;
  /** Records the id under which the workers will lock jobs. They fetch none before, because they may die right after. */
  register?: (poolId: string) => Promise<void>;
  /** Attaches to the library's events before the first one. @returns the flags to skip, called before each fetch */
  observe?: (events: EventEmitter) => (() => Promise<string[]>) | undefined;
  lostJobs?: { every_ms: number; checkForMs: number };
  log: Logger;
}

interface SupervisedRunner {
  /** The ids under which the current workers lock jobs. */
  workers(): readonly string[];
  freeLostJobs(db: Queryable): Promise<string[]>;
  /** Finishes running jobs and starts no new ones. */
  stop(): Promise<void>;
}

export async function superviseRunner(options: RunnerOptions): Promise<SupervisedRunner> {
  const { log } = options;
  const stopping = new AbortController();
  /** Ended pools that may have left jobs locked. */
  const endedPools: string[] = [];
  let runner = await startRunner(options, endedPools);

  const supervise = async () => {
    let pauseMs = shortestPauseMs;
    while (!stopping.signal.aborted) {
      await runner.ended.catch((error: Error) => log.error({ err: error }, 'worker failed'));
      if (stopping.signal.aborted) return;
      log.warn({ pause_ms: pauseMs }, 'worker ended; restarting it');
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      try {
        if (!stopping.signal.aborted) runner = await startRunner(options, endedPools);
        pauseMs = shortestPauseMs;
      } catch (error) {
        log.warn({ err: error }, "worker can't start yet");
        pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      }
    }
  };
  const supervised = supervise();
  return {
    workers: () => runner.workers,
    freeLostJobs: (db) => runner.lostJobs.free(db),
    async stop() {
      stopping.abort();
      await runner.stop().catch(() => {}); // already ended
      await supervised;
    },
  };
}

type Connected = Parameters<Parameters<pg.Pool['connect']>[0]>;

/**
 * The library releases a connection twice if it is lost before the library listens: the second release would crash the process.
 */
class SingleReleasePool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: (...connected: Connected) => void): void;
  override connect(callback?: (...connected: Connected) => void): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect();
    super.connect((error, client, release?: Connected[2]) => {
      let isReleased = false;
      callback(error, client, (reason) => {
        if (!isReleased) release?.(reason); // undefined for an ended pool
        isReleased = true;
      });
    });
    return undefined;
  }
}

/**
 * Uses our own pool: the library's pool drops its error listeners before its connections close, so a database that stops then
 * would crash the process. Completes jobs in batches, even of one tick: otherwise the library doesn't await completions, and a
 * lost connection would crash the process as well.
 */
async function startRunner(options: RunnerOptions, endedPools: string[]): Promise<StartedRunner> {
  const max = options.concurrency + 2;
  const stalled = Promise.withResolvers<void>();
  let isStopping = false;
  const onCut = (error: SilentConnection) => {
    options.socketTimeout?.onCut?.(error);
    if (isStopping) setTimeout(stalled.resolve, maxEndMs).unref();
  };
  const socketTimeout = { ...(options.socketTimeout ?? defaultTimeout), isUnlimited: true, onCut };
  const pool = new SingleReleasePool(
    workerSessionTo(options.url, { max, application_name: 'collaborator-api-jobs', socketTimeout }),
  );
  pool.on('error', () => {}); // the library handles it too
  const events = new EventEmitter();
  const persistentError = whenFailingForGood(events);
  const poolIds: string[] = [];
  const { peers = createPeers(), poll_ms: pollMs, lostJobs: checks = defaultChecks } = options;
  const lostJobs = watchLostJobs(events, checks);
  pool.on('connect', (client) => client.on('error', lostJobs.connectionLost));
  const flagsToSkip = options.observe?.(events) ?? (async () => [...newerFlags]);
  let isRegistered = false;
  let endPolling = () => {};
  events.on('pool:create', ({ workerPool }: { workerPool: { id: string; nudge(count: number): void } }) => {
    poolIds.push(workerPool.id);
    endPolling = wakeInTurn(workerPool, { events, peers, poll_ms: pollMs });
  });
  try {
    await freeJobs(pool, endedPools);
    endedPools.length = 0;
    const runner = await run({
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      async forbiddenFlags() {
        if (!isRegistered) await options.register?.(poolIds.at(-1)!); // an error is that of the fetch, and the next one tries again
        isRegistered = true;
        return flagsToSkip();
      },
      pgPool: pool,
      concurrency: options.concurrency,
      noHandleSignals: true,
      taskList: options.tasks,
      crontab: options.crontab,
      pollInterval: Math.max(libraryPollMs, pollMs),
      events,
      logger: forwarding(options.log),
    });
    const ended = Promise.race([
      runner.promise,
      abandonIfStuck(runner, events, persistentError, options.log),
      stalled.promise, // may wait for itself forever if its connections are lost while it stops
    ]);
    const clear = () => {
      endPolling();
      endedPools.push(...poolIds);
      return pool.end();
    };
    ended.then(clear, clear);
    runner.promise.catch(() => {}); // an abandoned runner's error has no consumer
    return {
      workers: poolIds,
      lostJobs,
      ended,
      stop() {
        isStopping = true;
        return Promise.race([runner.stop(), ended]);
      },
    };
  } catch (error) {
    endPolling();
    endedPools.push(...poolIds);
    await pool.end();
    throw error;
  }
}

interface StartedRunner {
  workers: readonly string[];
  lostJobs: LostJobs;
  /** Settles when it runs no more jobs. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Abandons a runner that can't end. If completions of two batches fail at once on a lost connection, the library miscounts and
 * waits for itself forever; so it gets some seconds before it is replaced. Its running jobs may run a second time.
 *
 * The same applies if it caches an error: before the first job it loads the list of tasks, and after a lost connection every
 * fetch fails with that same error.
 */
async function abandonIfStuck(
  runner: Runner,
  events: EventEmitter,
  persistentError: Promise<unknown>,
  log: Logger,
): Promise<void> {
  const reason = await Promise.race([
    once(events, 'pool:fatalError').then(() => undefined),
    persistentError.then(() => 'it keeps an error'),
  ]);
  if (reason) runner.stop(reason).catch(() => {});
  const withTimeout = runner.promise.then(
    () => true,
    () => true,
  );
  if (await Promise.race([withTimeout, sleep(maxEndMs, false, { ref: false })])) return runner.promise;
  log.warn('a failed worker did not stop; replacing it');
  // Stops its timers, which would run without a pool for as long as the process lives.
  runner.stop('given up').catch(() => {});
}

/**
 * Settles when fetches will keep failing: two failed with the same error object, or a newer version of the library has added a
 * column. The library selects all of them, so its prepared statements then fail on each open connection.
 */
function whenFailingForGood(events: EventEmitter): Promise<unknown> {
  let last: unknown;
  return new Promise<void>((resolve) => {
    events.on('worker:getJob:error', ({ error }: { error: Error & { code?: string } }) => {
      if (error === last || error.code === planChanged) resolve();
      last = error;
    });
  });
}

/** Maps the library's log levels to ours; messages per job are for debugging. */
function forwarding(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, meta) => {
    const { error, failure: isFailedJob } = (meta ?? {}) as { error?: unknown; failure?: boolean };
    if (isFailedJob) return; // observed tasks log it
    const text = sanitizeError(message);
    if (level === 'error') log.error({ err: error }, text);
    else if (level === 'warning') log.warn({ err: error }, text);
    else log.debug(text);
  });
}
