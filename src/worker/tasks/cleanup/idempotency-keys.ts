import { sql } from 'kysely';
import type { Database } from '../../../platform/db/client.ts';
import { inEachCompany } from '../each-company.ts';

export function removeOldIdempotencyKeys(db: Database, retentionHours = 24): Promise<number> {
  return inEachCompany(db, async (tenant) => {
    const { numDeletedRows } = await tenant
      .deleteFrom('idempotency_keys')
      .where('created_at', '<', sql<string>`now() - make_interval(hours => ${retentionHours}::int)`)
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
