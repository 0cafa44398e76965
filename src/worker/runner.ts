/**
 * Keeps the queue's runner running: the library's runner can end by itself, with or without an error (connection lost,
 * pool stopped). Any unrequested end is logged, and a new runner starts after a pause.
 */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as GraphileLogger, type Runner, run, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { default_timeout, type SilentConnection, type SocketTimeout } from '../platform/connection/postgres-client.ts';
import { sessionTo } from '../platform/connection/session.ts';
import type { Logger } from '../platform/observe/log.ts';
import { withoutData } from '../platform/observe/logged-error.ts';
import { newer_flags } from '../platform/queue/job-versions.ts';
import { freeJobs, type Queryable } from './free.ts';
import { type LostJobs, watchLostJobs } from './lost-jobs.ts';
import { createPeers, type Peers } from './peers.ts';
import { wakeInTurn } from './wake-in-turn.ts';

const shortest_pause_ms = 200;
const longest_pause_ms = 5_000;
/** How often each worker polls by itself: hardly ever, because `wakeInTurn` does it for all of a process. */
const library_poll_ms = 60_000;
/** How long a runner that failed may take to end. */
const longest_end_ms = 5_000;
/** Answers to what is asked now come far sooner; and what the database is still at, two minutes later, it was stopped at. */
const often_enough = { every_ms: 10_000, look_for_ms: 120_000 };

interface RunnerOptions {
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
  /** How often it looks for jobs that it was given without hearing of it, and for how long after an answer was lost. */
  lost_jobs?: { every_ms: number; look_for_ms: number };
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
    let pause_ms = shortest_pause_ms;
    while (!stopping.signal.aborted) {
      await runner.ended.catch((error: Error) => log.error({ err: error }, 'worker failed'));
      if (stopping.signal.aborted) return;
      log.warn({ pause_ms }, 'worker ended; starting it again');
      await sleep(pause_ms, undefined, { signal: stopping.signal }).catch(() => {});
      try {
        if (!stopping.signal.aborted) runner = await startRunner(options, gone);
        pause_ms = shortest_pause_ms;
      } catch (error) {
        log.warn({ err: error }, 'worker can not start yet');
        pause_ms = Math.min(pause_ms * 2, longest_pause_ms);
      }
    }
  };
  const supervised = supervise();
  return {
    workers: () => runner.workers,
    freeLostJobs: (db) => runner.lost_jobs.free(db),
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
      let is_back = false;
      callback(error, client, (reason) => {
        if (!is_back) release?.(reason); // a pool that has ended gives none
        is_back = true;
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
  let is_stopping = false;
  const onCut = (error: SilentConnection) => {
    options.socketTimeout?.onCut?.(error);
    if (is_stopping) setTimeout(stalled.resolve, longest_end_ms).unref();
  };
  const socketTimeout = { ...(options.socketTimeout ?? default_timeout), is_unlimited: true, onCut };
  const pool = new ForgivingPool(
    sessionTo(options.url, { max, application_name: 'collaborator-api-jobs', socketTimeout }),
  );
  pool.on('error', () => {}); // the library gets it too
  pool.on('connect', (client) => client.on('error', () => {}));
  const events = new EventEmitter();
  const keeps_error = sameErrorTwice(events);
  const ours: string[] = [];
  const { peers = createPeers(), poll_ms, lost_jobs: looks = often_enough } = options;
  const lost_jobs = watchLostJobs(events, looks);
  let endPolling = () => {};
  events.on('pool:create', ({ workerPool }: { workerPool: { id: string; nudge(count: number): void } }) => {
    ours.push(workerPool.id);
    endPolling = wakeInTurn(workerPool, { events, peers, poll_ms });
  });
  try {
    await freeJobs(pool, gone);
    gone.length = 0;
    const runner = await run({
      // Its statements ask for all columns: kept, they would fail once a newer version of it has added one.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, preparedStatements: false } },
      forbiddenFlags: [...newer_flags],
      pgPool: pool,
      concurrency: options.concurrency,
      noHandleSignals: true,
      taskList: options.tasks,
      crontab: options.crontab,
      pollInterval: Math.max(library_poll_ms, poll_ms),
      events,
      logger: forwarding(options.log),
    });
    const ended = Promise.race([
      runner.promise,
      givenUp(runner, events, keeps_error, options.log),
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
      lost_jobs,
      ended,
      stop() {
        is_stopping = true;
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
  lost_jobs: LostJobs;
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
async function givenUp(
  runner: Runner,
  events: EventEmitter,
  keeps_error: Promise<unknown>,
  log: Logger,
): Promise<void> {
  const reason = await Promise.race([
    once(events, 'pool:fatalError').then(() => undefined),
    keeps_error.then(() => 'it keeps an error'),
  ]);
  if (reason) runner.stop(reason).catch(() => {});
  const in_time = runner.promise.then(
    () => true,
    () => true,
  );
  if (await Promise.race([in_time, sleep(longest_end_ms, false, { ref: false })])) return runner.promise;
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
