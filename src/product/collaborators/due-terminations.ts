/**
 * Finds companies where an employment ends soon or has ended. Reads across companies, changes nothing, and is for the worker
 * alone, on its own connection: to ask each company would take as long as there are companies.
 */
import { type AllCompanies, acrossCompanies } from '../../platform/db/across-companies.ts';
import { daysAfter } from '../../platform/values/time-zones.ts';
import { firstNoticeDays } from './end-employments.ts';

/** No time zone is further ahead. */
const furthestH = 14;

/** @returns some in which nothing is to be done, too: each knows by itself which day it is, and what it was told */
export async function companiesWithTerminations(all: AllCompanies, now = new Date()): Promise<string[]> {
  const latest = new Date(now.getTime() + furthestH * 3_600_000).toISOString().slice(0, 10);
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
