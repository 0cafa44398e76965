/**
 * Unlocks jobs of dead workers; graphile-worker itself waits four hours.
 *
 * If a job's key is added again while it runs, the library retires the running job: it loses its key and attempts, and is deleted
 * on completion, or here if its worker died. Nothing is lost, because the newer job exists.
 */
import type { QueryResultRow } from 'pg';
import { exportTask } from '../product/exports/wake-exports.ts';
import { importsTask } from '../product/imports/state/wake-imports.ts';
import { deliverTask } from '../product/webhooks/subscriptions/wake-webhooks.ts';

/** Tasks whose jobs are mere wake-ups; the work is stored in our own tables. */
export const wakeUps: readonly string[] = [deliverTask, exportTask, importsTask];

export interface Queryable {
  query<R extends QueryResultRow>(sql: string, values: unknown[]): Promise<{ rows: R[] }>;
}

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

/** Notifies like the library does for new jobs; otherwise workers would find unlocked jobs only by polling. */
export async function announceJobs(db: Queryable, count: number): Promise<void> {
  if (count === 0) return;
  await db.query("select pg_notify('jobs:insert', json_build_object('r', random(), 'count', $1::int)::text)", [count]);
}

/** Deletes retired wake-ups that no worker runs. */
export async function removeReplaced(db: Queryable): Promise<void> {
  await db.query(
    `select graphile_worker.complete_jobs(array(
       select id from graphile_worker.jobs
       where task_identifier = any($1::text[]) and attempts >= max_attempts and key is null and locked_at is null
     ))`,
    [wakeUps],
  );
}
