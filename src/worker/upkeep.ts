/**
 * Heals what a crash or a lost connection left behind, every two seconds, in every worker. It is not a job: the queue
 * itself may be what is broken.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from '../platform/observe/log.ts';
import { freshenStatistics } from '../platform/schema/statistics.ts';
import { overdueWebhooks } from '../product/delivery/overdue-deliveries.ts';
import { overdueExports } from '../product/exports/overdue-exports.ts';
import { wakeExports } from '../product/exports/wake-exports.ts';
import { overdueImports } from '../product/imports/state/overdue-imports.ts';
import { wakeImports } from '../product/imports/state/wake-imports.ts';
import { wakeWebhooks } from '../product/webhooks/wake-webhooks.ts';
import { freeJobs } from './free.ts';

const every_ms = 2_000;
/** No job of ours takes longer; the library itself gives up on a dead worker's jobs after four hours. */
const longest_job_s = 120;

interface Upkeep {
  stop(): Promise<void>;
}

export function startUpkeep({ pool, log }: { pool: Pool; log: Logger }): Upkeep {
  const stopping = new AbortController();
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const overdue = await overdueWebhooks(pool);
        await wakeWebhooks(db, overdue);
        await wakeExports(db, await overdueExports(pool));
        for (const company_id of await overdueImports(pool)) await wakeImports(db, company_id);
        await freshenStatistics(pool);
        const freed = await freeAbandonedJobs(pool);
        if (freed > 0) log.warn({ workers: freed }, 'jobs of workers that are gone were freed');
      } catch (error) {
        log.warn({ err: error }, 'no look at what is overdue');
      }
      const pause_ms = every_ms * (0.9 + 0.2 * Math.random());
      await sleep(pause_ms, undefined, { signal: stopping.signal }).catch(() => {});
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

/** @returns the number of workers whose jobs were freed */
async function freeAbandonedJobs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ locked_by: string }>(
    `select distinct locked_by from graphile_worker.jobs
     where locked_at < now() - make_interval(secs => $1::int)`,
    [longest_job_s],
  );
  await freeJobs(
    pool,
    rows.map(({ locked_by }) => locked_by),
  );
  return rows.length;
}
