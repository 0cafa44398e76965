/**
 * Finds exports that no worker makes: a worker died, a job was lost, an attempt failed. Looks across companies, reads ids only,
 * and is for the worker alone, on its own connection.
 */
import { type AllCompanies, acrossCompanies } from '../../platform/db/across-companies.ts';
import type { ExportWakeup } from './wake-exports.ts';

const most = 1_000;

/** @param patienceMs how long something may be due before it counts as overdue */
export async function overdueExports(all: AllCompanies, patienceMs: number): Promise<ExportWakeup[]> {
  return acrossCompanies<ExportWakeup>(
    all,
    'exports',
    (exports) =>
      `select company_id, id as export_id from ${exports}
       where due_at < now() - interval '${Number(patienceMs)} ms' order by due_at limit ${most}`,
  );
}
