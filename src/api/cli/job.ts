/** `job list` and `job restart`: jobs that are no longer retried. */
import { sql } from 'kysely';
import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { type OutputOptions, print, table } from '../../../packages/cli/src/terminal/output.ts';
import type { Environment } from '../../platform/config/development.ts';
import { withDatabase } from './database.ts';

interface FailedJob {
  id: number;
  task: string;
  attempts: number;
  failed_at: string;
  /** Starts with `parked:` if the job's processes crashed. */
  last_error: string | null;
}

export async function list(environment: Environment, options: OutputOptions): Promise<void> {
  const { rows } = await withDatabase(
    environment,
    (db) =>
      sql<FailedJob>`
        select id, task_identifier as task, attempts, updated_at as failed_at, last_error from graphile_worker.jobs
        where attempts >= max_attempts and locked_at is null order by id`.execute(db.global),
    { usesQueue: true },
  );
  const cells = rows.map(({ id, task, attempts, failed_at: failedAt, last_error: lastError }) => {
    return [String(id), task, String(attempts), failedAt, lastError ?? ''];
  });
  const emptyMessage = 'There are no failed or parked jobs.';
  print(options, { data: rows }, table(['ID', 'TASK', 'ATTEMPTS', 'SINCE', 'REASON'], cells, emptyMessage));
}

export async function restart(environment: Environment, ids: readonly string[], options: OutputOptions): Promise<void> {
  const invalidId = ids.find((id) => !/^[1-9]\d{0,17}$/.test(id));
  if (invalidId !== undefined) throw new CliError(`${invalidId} is not a job ID.`, 2);
  const { rows } = await withDatabase(
    environment,
    async (db) => {
      await sql`delete from job_deaths where job_id = any(${ids}::bigint[])`.execute(db.global);
      return sql<{ id: number }>`
        select id from graphile_worker.reschedule_jobs(array(
          select id from graphile_worker.jobs
          where id = any(${ids}::bigint[]) and attempts >= max_attempts and locked_at is null
        ), run_at => now(), attempts => 0) as restarted`.execute(db.global);
    },
    { usesQueue: true },
  );
  const restarted = rows.map(({ id }) => String(id));
  const unknown = ids.filter((id) => !restarted.includes(id));
  if (unknown.length > 0) throw new CliError(`Not a failed or parked job: ${unknown.join(', ')}.`);
  print(options, { restarted }, `Restarted jobs: ${restarted.join(', ')}.`);
}
