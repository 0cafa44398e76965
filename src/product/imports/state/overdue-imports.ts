/** Finds imports and undos without a worker. The query spans companies, and runs only in the worker, on its own connection. */
import { type AllCompanies, acrossCompanies } from '../../../platform/db/across-companies.ts';
import { blockingAttempts } from './import-lease.ts';

const maxRows = 1_000;

/** @returns the companies with a due import and none running, or with a due undo */
export async function overdueImports(all: AllCompanies, graceMs: number): Promise<string[]> {
  const rows = await acrossCompanies<{ company_id: string }>(
    all,
    'imports',
    (imports) =>
      `select company_id from ${imports} where due_at is not null or undo_due_at is not null group by company_id
       having (min(due_at) < now() - interval '${Number(graceMs)} ms'
           and coalesce(max(due_at) filter (where is_held or attempts < ${blockingAttempts}), now()) <= now())
         or min(undo_due_at) < now() - interval '${Number(graceMs)} ms'
       order by least(min(due_at), min(undo_due_at)) limit ${maxRows}`,
  );
  return rows.map(({ company_id: companyId }) => companyId);
}
