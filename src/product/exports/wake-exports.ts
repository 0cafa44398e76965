/** Wakes a worker for an export. The job only carries ids; the row stores the state, so a lost or duplicate job is harmless. */
import { type QueryExecutorProvider, sql } from 'kysely';
import { flagsOf, versioned } from '../../platform/queue/job-versions.ts';

export const exportTask = 'runExport' as const;

export interface ExportWakeup {
  company_id: string;
  export_id: string;
}

/** Removes a failed or parked job, as for imports. @param tx a transaction that wakes nothing else: see `wakeWebhook` */
export async function wakeExport(tx: QueryExecutorProvider, wakeup: ExportWakeup): Promise<void> {
  const payload = JSON.stringify(versioned(exportTask, wakeup));
  const key = `export:${wakeup.export_id}`;
  await sql`select graphile_worker.remove_job(${key})`.execute(tx);
  await sql`
    select graphile_worker.add_job(${exportTask}, ${payload}::json, job_key => ${key}, max_attempts => 5,
      flags => ${flagsOf(exportTask)}::text[])`.execute(tx);
}
