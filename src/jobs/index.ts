/**
 * The worker: graphile-worker in the same Postgres. This is the table of its tasks; each has a file of its name.
 *
 * The library's runner can end by itself, with an error or without one (its connection was lost, its pool stopped): any
 * end that was not asked for is logged and answered with a new runner, after a pause.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as GraphileLogger, type Runner, run, runMigrations, type TaskList } from 'graphile-worker';
import pg from 'pg';
import type { Database } from '../db/client.ts';
import type { Logger } from '../log.ts';
import type { MailQueue } from '../mail/queue.ts';
import type { Mailer } from '../mail/send.ts';
import type { ResetQueue } from '../oauth/resets.ts';
import { removeExpired } from './removeExpired.ts';
import { sendMail } from './sendMail.ts';
import { sendPasswordReset } from './sendPasswordReset.ts';

const shortest_pause_ms = 200;
const longest_pause_ms = 5_000;

export interface WorkerOptions {
  url: string;
  /** Jobs that run at the same time. */
  concurrency: number;
  db: Database;
  /** Where mailed links lead. */
  base_url: string;
  access_token_lifetime_s: number;
  mail: MailQueue;
  resets: ResetQueue;
  mailer: Mailer;
  log: Logger;
}

export interface Worker {
  /** Finishes running jobs; starts no new ones. */
  stop(): Promise<void>;
}

function tasks({ db, base_url, access_token_lifetime_s, mail, resets, mailer, log }: WorkerOptions): TaskList {
  return {
    removeExpired: removeExpired(db, access_token_lifetime_s, log),
    sendMail: sendMail(mail, mailer),
    sendPasswordReset: sendPasswordReset(resets, db, mail, base_url),
  };
}

/** When tasks run by themselves (UTC); once for all workers together. */
const crontab = '17 * * * * removeExpired';

/** Brings the queue's own tables up to date; safe when several processes do it at once. */
export async function migrateQueue(url: string): Promise<void> {
  await runMigrations({ connectionString: url, logger: silent });
}

/** Runs jobs until stopped, whatever happens to the connection. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { log } = options;
  const stopping = new AbortController();
  let runner = await startRunner(options);

  const supervise = async () => {
    let pause_ms = shortest_pause_ms;
    while (!stopping.signal.aborted) {
      await runner.promise.catch((error: Error) => log.error({ err: error }, 'worker failed'));
      if (stopping.signal.aborted) return;
      log.warn({ pause_ms }, 'worker ended; starting it again');
      await sleep(pause_ms, undefined, { signal: stopping.signal }).catch(() => {});
      try {
        if (!stopping.signal.aborted) runner = await startRunner(options);
        pause_ms = shortest_pause_ms;
      } catch (error) {
        log.warn({ err: error }, 'worker can not start yet');
        pause_ms = Math.min(pause_ms * 2, longest_pause_ms);
      }
    }
  };
  const supervised = supervise();
  return {
    async stop() {
      stopping.abort();
      await runner.stop().catch(() => {}); // it has ended already
      await supervised;
    },
  };
}

/**
 * On a pool of our own: the library's own pool loses its error listeners before its connections have closed, so that a
 * database which stops at the same moment would end the process.
 */
async function startRunner(options: WorkerOptions): Promise<Runner> {
  const pool = new pg.Pool({ connectionString: options.url, max: options.concurrency + 2 });
  pool.on('error', () => {}); // the library hears of it as well
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    const runner = await run({
      pgPool: pool,
      concurrency: options.concurrency,
      noHandleSignals: true,
      taskList: tasks(options),
      crontab,
      logger: forwarding(options.log),
    });
    const ended = () => pool.end();
    runner.promise.then(ended, ended);
    return runner;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** The library's messages at our levels; what it says for every job is for debugging. */
function forwarding(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, meta) => {
    const { error } = (meta ?? {}) as { error?: unknown };
    if (level === 'error') log.error({ err: error }, message);
    else if (level === 'warning') log.warn({ err: error }, message);
    else log.debug(message);
  });
}

const silent = new GraphileLogger(() => () => {});
