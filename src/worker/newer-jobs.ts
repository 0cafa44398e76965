/** Jobs that only a newer version can do: they wait for it (see `platform/queue/job-versions.ts`), and the log says so once. */
import type { Logger } from '../platform/observe/log.ts';
import { newer_flags, task_names } from '../platform/queue/job-versions.ts';
import type { Queryable } from './free.ts';

/** Whoever goes back a version is in no hurry to read it. */
const look_every_ms = 60_000;

/** @returns what looks, if it is time to */
export function watchNewerJobs(db: Queryable, log: Logger, every_ms = look_every_ms): () => Promise<void> {
  let looked_ms = Number.NEGATIVE_INFINITY;
  let is_told = false;
  return async () => {
    if (performance.now() - looked_ms < every_ms) return;
    looked_ms = performance.now();
    const { rows } = await db.query<{ task: string }>(
      `select distinct task_identifier as task from graphile_worker.jobs
       where (flags ?| $1::text[] or task_identifier <> all($2::text[])) and attempts < max_attempts
       order by task`,
      [newer_flags, task_names],
    );
    if (rows.length > 0 && !is_told) {
      log.warn(
        { tasks: rows.map(({ task }) => task) },
        'jobs wait for a newer version: see docs/operations/upgrade.md',
      );
    }
    is_told = rows.length > 0;
  };
}
