/**
 * Unlocks the jobs of workers that are gone; the library itself waits four hours.
 *
 * When a job's key is added again while a worker runs the job, the library retires the old one: without a key and
 * attempts, it is deleted when that worker completes it. If the worker is gone nobody would delete it, so this does.
 * Nothing is lost: the work is in our own tables, and the newer job exists.
 */
import type { QueryResultRow } from 'pg';
import { exportTask } from '../product/exports/wake-exports.ts';
import { importsTask } from '../product/imports/state/wake-imports.ts';
import { deliverTask } from '../product/webhooks/subscriptions/wake-webhooks.ts';

/** Tasks whose jobs only say that there is work; the work itself stands in our own tables. */
export const wakeUps: readonly string[] = [deliverTask, exportTask, importsTask];

/** What runs statements: a pool, or a connection. */
export interface Queryable {
  query<R extends QueryResultRow>(sql: string, values: unknown[]): Promise<{ rows: R[] }>;
}

/** @param workers their ids, as `locked_by` has them; or the ids of their pools */
export async function freeJobs(db: Queryable, workers: readonly string[]): Promise<void> {
  if (workers.length === 0) return;
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from graphile_worker._private_jobs where locked_by = any($1::text[])',
    [workers],
  );
  await db.query('select graphile_worker.force_unlock_workers($1)', [workers]);
  await removeReplaced(db);
  await announceJobs(db, rows[0]!.count);
}

/** As the library announces new jobs; of those that it unlocks, workers would learn by polling only. */
export async function announceJobs(db: Queryable, count: number): Promise<void> {
  if (count === 0) return;
  await db.query("select pg_notify('jobs:insert', json_build_object('r', random(), 'count', $1::int)::text)", [count]);
}

/** Deletes wake-ups that nobody runs any more, and of which a newer one exists. */
export async function removeReplaced(db: Queryable): Promise<void> {
  await db.query(
    `select graphile_worker.complete_jobs(array(
       select id from graphile_worker.jobs
       where task_identifier = any($1::text[]) and attempts >= max_attempts and key is null and locked_at is null
     ))`,
    [wakeUps],
  );
}
