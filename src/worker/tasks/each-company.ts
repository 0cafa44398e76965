/** Runs maintenance of company tables one company at a time, because statements are bound to one company. */
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

/**
 * Does the same for one company after the other.
 * @param work returns how much it did for its company
 * @returns how much was done for all of them
 */
export async function inEachCompany(db: Database, work: (tenant: Tenant) => Promise<number>): Promise<number> {
  let done = 0;
  for (const { id } of await db.global.selectFrom('companies').select('id').execute())
    done += await work(db.tenant(id));
  return done;
}
