/** Runs maintenance of company tables company by company, because statements are bound to one company. */
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

/**
 * Continues after the error of a company, whose machine of a cluster may be down.
 * @param work returns its count for one company
 * @param onlyIds company ids; default: all
 * @throws the first error, after all companies
 */
export async function inEachCompany(
  db: Database,
  work: (tenant: Tenant, company: { id: string; name: string }) => Promise<number>,
  onlyIds?: readonly string[],
): Promise<number> {
  let done = 0;
  const failures: unknown[] = [];
  const companies = await db.global.selectFrom('companies').select(['id', 'name']).execute();
  const selectedIds = new Set(onlyIds ?? companies.map(({ id }) => id));
  for (const company of companies) {
    if (!selectedIds.has(company.id)) continue;
    try {
      done += await work(db.tenant(company.id), company);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
