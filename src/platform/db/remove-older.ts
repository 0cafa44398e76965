import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { GlobalTables, TenantTables } from '../tenancy/tables.ts';
import type { Tenant } from './tenant.ts';

export const rowsPerRemoval = 5_000;

type TimeColumn = 'expires_at' | 'created_at' | 'last_seen_at' | 'last_used_at' | 'deleted_at' | 'expire';

/**
 * Deletes rows older than a time in batches, oldest first: after a long outage, a single statement could time out.
 * @returns the number of deleted rows
 */
export async function removeOlder(
  tables: Kysely<GlobalTables> | Tenant,
  name: keyof GlobalTables | keyof TenantTables,
  timeColumn: TimeColumn,
  before: string | RawBuilder<string>,
): Promise<number> {
  const { table, time } = { table: name as 'oauth_artifacts', time: timeColumn as 'expires_at' };
  const builder = tables as Kysely<GlobalTables>; // tenant tables have the same query builder
  return inParts(async () => {
    const oldest = builder.selectFrom(`${table} as older`).select(time).where(time, '<', before).orderBy(time);
    const last = sql<string>`(select max(part.${sql.ref(time)}) from (${oldest.limit(rowsPerRemoval)}) as part)`;
    const { numDeletedRows } = await builder
      .deleteFrom(table)
      .where(time, '<', before)
      .where(time, '<=', last)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

/** @param remove deletes up to `limit` rows, and returns how many */
export async function inParts(remove: () => Promise<number>, limit = rowsPerRemoval): Promise<number> {
  for (let total = 0; ; ) {
    const removed = await remove();
    total += removed;
    if (removed < limit) return total;
  }
}
