/** Runs maintenance of company tables one company at a time, because statements are bound to one company. */
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

/**
 * Does the same for one company after the other. What is wrong with one does not keep the others waiting: its machine of a
 * cluster may be lost.
 * @param work returns how much it did for its company, which it is told by id and name
 * @param among ids of the companies that it is done for. Default: all
 * @returns how much was done for all of them
 * @throws the first error, after all had their turn
 */
export async function inEachCompany(
  db: Database,
  work: (tenant: Tenant, company: { id: string; name: string }) => Promise<number>,
  among?: readonly string[],
): Promise<number> {
  let done = 0;
  const failures: unknown[] = [];
  const companies = await db.global.selectFrom('companies').select(['id', 'name']).execute();
  const meant = new Set(among ?? companies.map(({ id }) => id));
  for (const company of companies) {
    if (!meant.has(company.id)) continue;
    try {
      done += await work(db.tenant(company.id), company);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
