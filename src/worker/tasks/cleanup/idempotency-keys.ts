import { sql } from 'kysely';
import type { Database } from '../../../platform/db/client.ts';
import { removeOlder } from '../../../platform/db/remove-older.ts';
import { inEachCompany } from '../each-company.ts';

export function removeOldIdempotencyKeys(db: Database, retentionHours = 24): Promise<number> {
  const before = sql<string>`now() - make_interval(hours => ${retentionHours}::int)`;
  return inEachCompany(db, (tenant) => removeOlder(tenant, 'idempotency_keys', 'created_at', before));
}
