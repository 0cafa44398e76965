/** Finds imports and undos without a worker. The query spans companies, and runs only in the worker, on its own connection. */
import { type AllCompanies, acrossCompanies } from '../../../platform/db/across-companies.ts';
import { patientAttempts } from './import-lease.ts';

const most = 1_000;

/** @returns the companies with a due import and none running, or with a due undo */
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
