/**
 * Wakes a worker for the imports of a company: a job added by the transaction that makes one ready. The job decides
 * nothing; the work is in `imports`, so losing or doubling a job does no harm.
 */
import { type QueryExecutorProvider, sql } from 'kysely';

/** The name of the task. */
export const imports_task = 'runImports';

/** At once. A company that is woken several times before a worker gets to it has one job. */
export async function wakeImports(tx: QueryExecutorProvider, company_id: string): Promise<void> {
  const payload = JSON.stringify({ company_id });
  await sql`select graphile_worker.add_job(${imports_task}, ${payload}::json, job_key => ${`imports:${company_id}`}, max_attempts => 3)`.execute(
    tx,
  );
}
