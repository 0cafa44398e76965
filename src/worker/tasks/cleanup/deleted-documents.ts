/** Removes rows of deleted documents, which keep name and hash for a while. The history stays. */
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/client.ts';
import { removeOlder } from '../../../platform/db/remove-older.ts';
import { inEachCompany } from '../each-company.ts';

export function removeDeletedDocuments(db: Database, retentionDays = 30): Promise<number> {
  const before = sql<string>`now() - make_interval(days => ${retentionDays}::int)`;
  return inEachCompany(db, (tenant) => removeOlder(tenant, 'documents', 'deleted_at', before));
}
