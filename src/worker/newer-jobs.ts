/** Logs once that jobs of a newer version are waiting, which only that version can run (see `platform/queue/job-versions.ts`). */
import type { Logger } from '../platform/observe/log.ts';
import { newerFlags, taskNames } from '../platform/queue/job-versions.ts';
import type { Queryable } from './free-jobs.ts';

const checkIntervalMs = 60_000;

export function watchNewerJobs(db: Queryable, log: Logger): () => Promise<void> {
  let checkedMs = Number.NEGATIVE_INFINITY;
  let isReported = false;
  return async () => {
    if (performance.now() - checkedMs < checkIntervalMs) return;
    checkedMs = performance.now();
    const { rows } = await db.query<{ task: string }>(
      `select distinct task_identifier as task from graphile_worker.jobs
       where (flags ?| $1::text[] or task_identifier <> all($2::text[])) and attempts < max_attempts
       order by task`,
      [newerFlags, taskNames],
    );
    if (rows.length > 0 && !isReported) {
      log.warn(
        { tasks: rows.map(({ task }) => task) },
        'jobs wait for a newer version: see docs/operations/upgrade.md',
      );
    }
    isReported = rows.length > 0;
  };
}
