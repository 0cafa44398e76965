/** Answers that were kept for a repetition are of no use once their key is free again. */
import { sql } from 'kysely';
import type { Database } from '../db/client.ts';

/** Company by company, as everything that touches a company's rows. @returns how many were deleted */
export async function removeOldIdempotencyKeys(db: Database, kept_for_h = 24): Promise<number> {
  let removed = 0;
  for (const { id } of await db.global.selectFrom('companies').select('id').execute()) {
    const { numDeletedRows } = await db
      .tenant(id)
      .deleteFrom('idempotency_keys')
      .where('created_at', '<', sql<string>`now() - make_interval(hours => ${kept_for_h}::int)`)
      .executeTakeFirst();
    removed += Number(numDeletedRows);
  }
  return removed;
}
