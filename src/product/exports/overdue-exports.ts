/** Finds exports without a worker. The query spans companies, and runs only in the worker, on its own connection. */
import { type AllCompanies, acrossCompanies } from '../../platform/db/across-companies.ts';
import type { ExportWakeup } from './wake-exports.ts';

const maxRows = 1_000;

export async function overdueExports(all: AllCompanies, graceMs: number): Promise<ExportWakeup[]> {
  return acrossCompanies<ExportWakeup>(
    all,
    'exports',
    (exports) =>
      `select company_id, id as export_id from ${exports}
       where due_at < now() - interval '${Number(graceMs)} ms' order by due_at limit ${maxRows}`,
  );
}
