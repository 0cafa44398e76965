/** Removes rows of deleted documents, which keep name and hash for a while. The history stays. */
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/client.ts';
import { inEachCompany } from '../each-company.ts';

export function removeDeletedDocuments(db: Database, retentionDays = 30): Promise<number> {
  return inEachCompany(db, async (tenant) => {
    const { numDeletedRows } = await tenant
      .deleteFrom('documents')
      .where('deleted_at', '<', sql<string>`now() - make_interval(days => ${retentionDays}::int)`)
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
