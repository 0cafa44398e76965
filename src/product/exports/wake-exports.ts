/**
 * Wakes a worker for an export. The job carries ids only: what is to be done stands in the row, so a job that is lost or
 * doubled loses or doubles nothing.
 */
import { type QueryExecutorProvider, sql } from 'kysely';

/** The name of the task. */
export const export_task = 'runExport';

/** What the jobs carry. */
export interface ExportWakeup {
  company_id: string;
  export_id: string;
}

/**
 * One that was given up or parked goes, as for imports.
 * @param tx a transaction in which nothing else is woken: see `wakeWebhook`
 */
export async function wakeExport(tx: QueryExecutorProvider, wakeup: ExportWakeup): Promise<void> {
  const payload = JSON.stringify(wakeup);
  const key = `export:${wakeup.export_id}`;
  await sql`select graphile_worker.remove_job(${key})`.execute(tx);
  await sql`select graphile_worker.add_job(${export_task}, ${payload}::json, job_key => ${key}, max_attempts => 5)`.execute(
    tx,
  );
}
