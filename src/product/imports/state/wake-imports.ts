/** Wakes a worker for a company's imports. All state is in `imports`, so a lost or duplicate job is harmless. */
import { type QueryExecutorProvider, sql } from 'kysely';
import { flagsOf, versioned } from '../../../platform/queue/job-versions.ts';

export const importsTask = 'runImports' as const;

/** Removes a failed or parked job, which the queue would keep beside the new one. @param afterS delay in seconds */
export async function wakeImports(tx: QueryExecutorProvider, companyId: string, afterS = 0): Promise<void> {
  const payload = JSON.stringify(versioned(importsTask, { company_id: companyId }));
  const key = `imports:${companyId}`;
  await sql`select graphile_worker.remove_job(${key})`.execute(tx);
  await sql`
    select graphile_worker.add_job(${importsTask}, ${payload}::json, job_key => ${key}, max_attempts => 3,
      run_at => now() + make_interval(secs => ${afterS}::int), flags => ${flagsOf(importsTask)}::text[])`.execute(tx);
}
