/** Finds companies where an employment ends soon or has ended. The query spans companies, and runs only in the worker. */
import { type AllCompanies, acrossCompanies } from '../../platform/db/across-companies.ts';
import { daysAfter } from '../../platform/values/time-zones.ts';
import { firstNoticeDays } from './end-employments.ts';

/** The largest time zone offset. */
const maxOffsetH = 14;

/** @returns also companies with nothing to do: each checks its own date and what was already announced */
export async function companiesWithTerminations(all: AllCompanies, now = new Date()): Promise<string[]> {
  const latest = new Date(now.getTime() + maxOffsetH * 3_600_000).toISOString().slice(0, 10);
  const rows = await acrossCompanies<{ company_id: string }>(
    all,
    'collaborators',
    (collaborators) =>
      `select company_id from ${collaborators}
       where deleted_at is null and status <> 'inactive' and termination_date <= date '${daysAfter(latest, firstNoticeDays)}'
       group by company_id`,
  );
  return rows.map(({ company_id: companyId }) => companyId);
}
