/**
 * Wakes a worker for the imports of a company: a job added by the transaction that makes one ready. The job decides
 * nothing; the work is in `imports`, so losing or doubling a job does no harm.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { flagsOf, versioned } from '../../../platform/queue/job-versions.ts';

/** The name of the task. */
export const importsTask = 'runImports' as const;

/**
 * A company that is woken several times before a worker gets to it has one job. One that was given up or parked goes:
 * the queue would keep it beside the new one, for somebody to look at what is over.
 * @param afterS from now; at once by default
 */
export async function wakeImports(tx: QueryExecutorProvider, companyId: string, afterS = 0): Promise<void> {
  const payload = JSON.stringify(versioned(importsTask, { company_id: companyId }));
  const key = `imports:${companyId}`;
  await sql`select graphile_worker.remove_job(${key})`.execute(tx);
  await sql`
    select graphile_worker.add_job(${importsTask}, ${payload}::json, job_key => ${key}, max_attempts => 3,
      run_at => now() + make_interval(secs => ${afterS}::int), flags => ${flagsOf(importsTask)}::text[])`.execute(tx);
}
