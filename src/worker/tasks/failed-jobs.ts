/** Removes permanently failed jobs some time after their last attempt, and records of ended jobs and workers. */
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { inParts, rowsPerRemoval } from '../../platform/db/remove-older.ts';

export async function removeFailedJobs(db: Database): Promise<number> {
  return inParts(async () => {
    const { rows } = await sql`
      select from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where attempts >= max_attempts and locked_at is null
          and updated_at < now() - interval '30 days'
        limit ${rowsPerRemoval}
      ))`.execute(db.global);
    return rows.length;
  });
}

export async function removeOldWorkers(db: Database): Promise<number> {
  await sql`
    delete from job_deaths where not exists (
      select from graphile_worker._private_jobs as jobs where jobs.id = job_deaths.job_id
    )`.execute(db.global);
  const { numDeletedRows } = await db.global
    .deleteFrom('worker_pools')
    .where('seen_at', '<', sql<string>`now() - interval '1 day'`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
