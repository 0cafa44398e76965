/** Directories as logs show them: the id of one stands where that of a user stands. */
import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';

interface ShownDirectory {
  id: string;
  /** What the company calls it today. */
  name: string;
}

/**
 * @param ids of whoever did something in this company: users, installations and directories, all of which are UUIDs
 * @returns those of them that are directories and have not been deleted, by id
 */
export async function directoriesAmong(
  tenant: Tenant,
  ids: Iterable<string | null>,
): Promise<Map<string, ShownDirectory>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const found = await tenant.global
    .selectFrom('directories')
    .select(['id', 'name'])
    .where('company_id', '=', tenant.company_id)
    .where('id', '=', sql<string>`any(${wanted}::uuid[])`)
    .execute();
  return new Map(found.map((row) => [row.id, row]));
}
