/**
 * Finds imports, and undos of them, that no worker runs, because a worker died or a job was lost. Reads across companies, changes nothing,
 * and is for the worker alone, on its own connection.
 */
import { type AllCompanies, acrossCompanies } from '../../../platform/db/across-companies.ts';
import { patientAttempts } from './import-lease.ts';

const most = 1_000;

/**
 * @param patienceMs how long one may be due before it counts as overdue
 * @returns the companies in which one is due and none is being carried out, or an undo is due
 */
export async function overdueImports(all: AllCompanies, patienceMs: number): Promise<string[]> {
  const rows = await acrossCompanies<{ company_id: string }>(
    all,
    'imports',
    (imports) =>
      `select company_id from ${imports} where due_at is not null or undo_due_at is not null group by company_id
       having (min(due_at) < now() - interval '${Number(patienceMs)} ms'
           and coalesce(max(due_at) filter (where is_held or attempts < ${patientAttempts}), now()) <= now())
         or min(undo_due_at) < now() - interval '${Number(patienceMs)} ms'
       order by least(min(due_at), min(undo_due_at)) limit ${most}`,
  );
  return rows.map(({ company_id: companyId }) => companyId);
}
