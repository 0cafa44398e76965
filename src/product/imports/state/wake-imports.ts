/**
 * Wakes a worker for the imports of a company: a job added by the transaction that makes one ready. The job decides
 * nothing; the work is in `imports`, so losing or doubling a job does no harm.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { flagsOf, versioned } from '../../../platform/queue/job-versions.ts';

/** The name of the task. */
export const imports_task = 'runImports' as const;

/**
 * A company that is woken several times before a worker gets to it has one job. One that was given up or parked goes:
 * the queue would keep it beside the new one, for somebody to look at what is over.
 * @param after_s from now; at once by default
 */
export async function wakeImports(tx: QueryExecutorProvider, company_id: string, after_s = 0): Promise<void> {
  const payload = JSON.stringify(versioned(imports_task, { company_id }));
  const key = `imports:${company_id}`;
  await sql`select graphile_worker.remove_job(${key})`.execute(tx);
  await sql`
    select graphile_worker.add_job(${imports_task}, ${payload}::json, job_key => ${key}, max_attempts => 3,
      run_at => now() + make_interval(secs => ${after_s}::int), flags => ${flagsOf(imports_task)}::text[])`.execute(tx);
}
