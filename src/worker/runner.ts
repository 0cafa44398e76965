/**
 * Keeps the queue's runner running: the library's runner can end by itself, with or without an error (connection lost,
 * pool stopped). Any unrequested end is logged, and a new runner starts after a pause.
 */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as GraphileLogger, type Runner, run, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { defaultTimeout, type SilentConnection, type SocketTimeout } from '../platform/connection/postgres-client.ts';
import { sessionTo } from '../platform/connection/session.ts';
import type { Logger } from '../platform/observe/log.ts';
import { withoutData } from '../platform/observe/logged-error.ts';
import { newerFlags } from '../platform/queue/job-versions.ts';
import { freeJobs, type Queryable } from './free.ts';
import { type LostJobs, watchLostJobs } from './lost-jobs.ts';
import { createPeers, type Peers } from './peers.ts';
import { wakeInTurn } from './wake-in-turn.ts';

const shortestPauseMs = 200;
const longestPauseMs = 5_000;
/** How often each worker polls by itself: hardly ever, because `wakeInTurn` does it for all of a process. */
const libraryPollMs = 60_000;
/** How long a runner that failed may take to end. */
const longestEndMs = 5_000;
/** Answers to what is asked now come far sooner; and what the database is still at, two minutes later, it was stopped at. */
const oftenEnough = { every_ms: 10_000, lookForMs: 120_000 };

export interface RunnerOptions {
  url: string;
  /** Default: that of sessions without limits. */
  socketTimeout?: SocketTimeout;
  /** Jobs that run at the same time. */
  concurrency: number;
  tasks: TaskList;
  /** When tasks run by themselves (UTC); once for all workers together. */
  crontab: string;
  /** How often a process looks for jobs that have become due; new ones are announced to it. */
  poll_ms: number;
  /** Default: none. */
  peers?: Peers;
  /** Hears of the library's events, from before the first. @returns the flags of jobs that are to wait, asked before each fetch */
  observe?: (events: EventEmitter) => (() => Promise<string[]>) | undefined;
  /** How often it looks for jobs that it was given without hearing of it, and for how long after an answer was lost. */
  lostJobs?: { every_ms: number; lookForMs: number };
  log: Logger;
}

interface SupervisedRunner {
  /** Those that may have jobs now, by the names under which they lock them. */
  workers(): readonly string[];
  /** Frees jobs that it was given without hearing of it. @returns their ids */
  freeLostJobs(db: Queryable): Promise<string[]>;
  /** Finishes running jobs; starts no new ones. */
  stop(): Promise<void>;
}

/** Runs jobs until stopped, whatever happens to the connection. */
export async function superviseRunner(options: RunnerOptions): Promise<SupervisedRunner> {
  const { log } = options;
  const stopping = new AbortController();
  /** Pools that ended, and may have left jobs locked. */
  const gone: string[] = [];
  let runner = await startRunner(options, gone);

  const supervise = async () => {
    let pauseMs = shortestPauseMs;
    while (!stopping.signal.aborted) {
      await runner.ended.catch((error: Error) => log.error({ err: error }, 'worker failed'));
      if (stopping.signal.aborted) return;
      log.warn({ pause_ms: pauseMs }, 'worker ended; starting it again');
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      try {
        if (!stopping.signal.aborted) runner = await startRunner(options, gone);
        pauseMs = shortestPauseMs;
      } catch (error) {
        log.warn({ err: error }, 'worker can not start yet');
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  };
  const supervised = supervise();
  return {
    workers: () => runner.workers,
    freeLostJobs: (db) => runner.lostJobs.free(db),
    async stop() {
      stopping.abort();
      await runner.stop().catch(() => {}); // it has ended already
      await supervised;
    },
  };
}

type Connected = Parameters<Parameters<pg.Pool['connect']>[0]>;

/**
 * The library gives a connection back twice when it is lost before it listens, and the worker stops: the second time would
 * throw where nobody catches it, and end the process.
 */
class ForgivingPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: (...connected: Connected) => void): void;
  override connect(callback?: (...connected: Connected) => void): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect();
    super.connect((error, client, release?: Connected[2]) => {
      let isBack = false;
      callback(error, client, (reason) => {
        if (!isBack) release?.(reason); // a pool that has ended gives none
        isBack = true;
      });
    });
    return undefined;
  }
}

/**
 * On a pool of our own: the library's own pool loses its error listeners before its connections have closed, so that a
 * database which stops at the same moment would end the process.
 *
 * Jobs are completed in batches, if only of those that end together: otherwise the library completes a job without
 * waiting for it, and a lost connection at that moment would end the process as well.
 */
async function startRunner(options: RunnerOptions, gone: string[]): Promise<StartedRunner> {
  const max = options.concurrency + 2;
  const stalled = Promise.withResolvers<void>();
  let isStopping = false;
  const onCut = (error: SilentConnection) => {
    options.socketTimeout?.onCut?.(error);
    if (isStopping) setTimeout(stalled.resolve, longestEndMs).unref();
  };
  const socketTimeout = { ...(options.socketTimeout ?? defaultTimeout), isUnlimited: true, onCut };
  const pool = new ForgivingPool(
    sessionTo(options.url, { max, application_name: 'collaborator-api-jobs', socketTimeout }),
  );
  pool.on('error', () => {}); // the library gets it too
  pool.on('connect', (client) => client.on('error', () => {}));
  const events = new EventEmitter();
  const keepsError = sameErrorTwice(events);
  const ours: string[] = [];
  const { peers = createPeers(), poll_ms: pollMs, lostJobs: looks = oftenEnough } = options;
  const lostJobs = watchLostJobs(events, looks);
  const forbiddenFlags = options.observe?.(events) ?? [...newerFlags];
  let endPolling = () => {};
  events.on('pool:create', ({ workerPool }: { workerPool: { id: string; nudge(count: number): void } }) => {
    ours.push(workerPool.id);
    endPolling = wakeInTurn(workerPool, { events, peers, poll_ms: pollMs });
  });
  try {
    await freeJobs(pool, gone);
    gone.length = 0;
    const runner = await run({
      // Its statements ask for all columns: kept, they would fail once a newer version of it has added one.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, preparedStatements: false } },
      forbiddenFlags,
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
      givenUp(runner, events, keepsError, options.log),
      stalled.promise, // one that loses its connections while it stops may wait for itself for ever
    ]);
    const clear = () => {
      endPolling();
      gone.push(...ours);
      return pool.end();
    };
    ended.then(clear, clear);
    runner.promise.catch(() => {}); // of one that was given up nobody hears any more
    return {
      workers: ours,
      lostJobs,
      ended,
      stop() {
        isStopping = true;
        return Promise.race([runner.stop(), ended]);
      },
    };
  } catch (error) {
    endPolling();
    gone.push(...ours);
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
 * What the library can not complete, because its connection is lost, ends its pool. When that happens to two batches of jobs
 * at once it miscounts them, and waits for ever for its own end: so it gets some seconds, and then another takes its place.
 * Jobs it is still at may run a second time, as all jobs may.
 *
 * The same with one that keeps an error. Before its first job the library asks which tasks there are, and keeps what came of
 * that: where the connection was lost, each question for a job ends with that very error from then on.
 */
async function givenUp(runner: Runner, events: EventEmitter, keepsError: Promise<unknown>, log: Logger): Promise<void> {
  const reason = await Promise.race([
    once(events, 'pool:fatalError').then(() => undefined),
    keepsError.then(() => 'it keeps an error'),
  ]);
  if (reason) runner.stop(reason).catch(() => {});
  const inTime = runner.promise.then(
    () => true,
    () => true,
  );
  if (await Promise.race([inTime, sleep(longestEndMs, false, { ref: false })])) return runner.promise;
  log.warn('a worker that failed did not end; another takes its place');
  // Ends what it does by the clock, which would go on, without a pool, for as long as the process lives.
  runner.stop('given up').catch(() => {});
}

/** Settles when two questions for a job end with one and the same error. */
function sameErrorTwice(events: EventEmitter): Promise<unknown> {
  let last: unknown;
  return new Promise<void>((resolve) => {
    events.on('worker:getJob:error', ({ error }: { error: unknown }) => {
      if (error === last) resolve();
      last = error;
    });
  });
}

/** The library's messages at our levels; what it says for every job is for debugging. */
function forwarding(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, meta) => {
    const { error } = (meta ?? {}) as { error?: unknown };
    const text = withoutData(message);
    if (level === 'error') log.error({ err: error }, text);
    else if (level === 'warning') log.warn({ err: error }, text);
    else log.debug(text);
  });
}
