/**
 * Wakes a worker for an export. The job carries ids only: what is to be done stands in the row, so a job that is lost or
 * doubled loses or doubles nothing.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { flagsOf, versioned } from '../../platform/queue/job-versions.ts';

/** The name of the task. */
export const exportTask = 'runExport' as const;

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
  const payload = JSON.stringify(versioned(exportTask, wakeup));
  const key = `export:${wakeup.export_id}`;
  await sql`select graphile_worker.remove_job(${key})`.execute(tx);
  await sql`
    select graphile_worker.add_job(${exportTask}, ${payload}::json, job_key => ${key}, max_attempts => 5,
      flags => ${flagsOf(exportTask)}::text[])`.execute(tx);
}
