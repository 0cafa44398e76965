/** Removes jobs that have failed for good, a while after their last attempt; until then they stay for inspection. */
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';

/** @returns how many were deleted */
export async function removeFailedJobs(db: Database, kept_days = 30): Promise<number> {
  const { rows } = await sql`
    select from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null
        and updated_at < now() - make_interval(days => ${kept_days}::int)
    ))`.execute(db.global);
  return rows.length;
}
