/** The row of a deleted document keeps its name and hash for a while; then they are removed. The history stays. */
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { inEachCompany } from './each-company.ts';

/** @returns how many were deleted */
export function removeDeletedDocuments(db: Database, kept_days = 30): Promise<number> {
  return inEachCompany(db, async (tenant) => {
    const { numDeletedRows } = await tenant
      .deleteFrom('documents')
      .where('deleted_at', '<', sql<string>`now() - make_interval(days => ${kept_days}::int)`)
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
