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

export async function wakeExports(tx: QueryExecutorProvider, wakeups: readonly ExportWakeup[]): Promise<void> {
  if (wakeups.length === 0) return;
  const jobs = wakeups.map((payload) => ({ payload, key: `export:${payload.export_id}` }));
  await sql`
    select graphile_worker.add_job(${export_task}, payload, job_key => key, max_attempts => 5)
    from json_to_recordset(${JSON.stringify(jobs)}::json) as job (payload json, key text)
    order by key`.execute(tx);
}
