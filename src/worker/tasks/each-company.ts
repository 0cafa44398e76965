/** Runs maintenance of company tables one company at a time, because statements are bound to one company. */
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

/**
 * Does the same for one company after the other. What is wrong with one does not keep the others waiting: its machine of a
 * cluster may be lost.
 * @param work returns how much it did for its company, which it is told by id and name
 * @returns how much was done for all of them
 * @throws the first error, after all had their turn
 */
export async function inEachCompany(
  db: Database,
  work: (tenant: Tenant, company: { id: string; name: string }) => Promise<number>,
): Promise<number> {
  let done = 0;
  const failures: unknown[] = [];
  for (const company of await db.global.selectFrom('companies').select(['id', 'name']).execute()) {
    try {
      done += await work(db.tenant(company.id), company);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
