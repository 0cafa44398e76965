/**
 * Frees the jobs of workers that are gone; the library itself waits four hours.
 *
 * A wake-up whose key is added again while a worker holds it is retired by the library: it has no key and no attempt left,
 * and goes when that worker completes it. When the worker is gone nobody would, so it goes here. Nothing is lost: what is
 * to be done stands in tables of our own, and the newer wake-up is there.
 */
import { export_task } from '../product/exports/wake-exports.ts';
import { imports_task } from '../product/imports/state/wake-imports.ts';
import { deliver_task } from '../product/webhooks/wake-webhooks.ts';

const wake_ups = [deliver_task, export_task, imports_task];

/** What runs statements: a pool, or a connection. */
interface Queryable {
  query(sql: string, values: unknown[]): Promise<unknown>;
}

/** @param workers their ids, as `locked_by` has them; or the ids of their pools */
export async function freeJobs(db: Queryable, workers: readonly string[]): Promise<void> {
  if (workers.length === 0) return;
  await db.query('select graphile_worker.force_unlock_workers($1)', [workers]);
  await db.query(
    `select graphile_worker.complete_jobs(array(
       select id from graphile_worker.jobs
       where task_identifier = any($1::text[]) and attempts >= max_attempts and key is null and locked_at is null
     ))`,
    [wake_ups],
  );
}
