/** Of a document that was deleted, name and hash are left in its row; after a time they go, too. The history stays. */
import { sql } from 'kysely';
import type { Database } from '../db/client.ts';

/** Company by company, as everything that touches a company's rows. @returns how many were deleted */
export async function removeDeletedDocuments(db: Database, kept_days = 30): Promise<number> {
  let removed = 0;
  for (const { id } of await db.global.selectFrom('companies').select('id').execute()) {
    const { numDeletedRows } = await db
      .tenant(id)
      .deleteFrom('documents')
      .where('deleted_at', '<', sql<string>`now() - make_interval(days => ${kept_days}::int)`)
      .executeTakeFirst();
    removed += Number(numDeletedRows);
  }
  return removed;
}
