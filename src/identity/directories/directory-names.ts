/** Directories in responses of logs, where their id takes the place of a user id. */
import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';

interface NamedDirectory {
  id: string;
  /** Its current name. */
  name: string;
}

/** @param ids of actors: users, installations, and directories @returns the existing directories among them, by id */
export async function directoriesAmong(
  tenant: Tenant,
  ids: Iterable<string | null>,
): Promise<Map<string, NamedDirectory>> {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== null);
  if (uniqueIds.length === 0) return new Map();
  const found = await tenant.global
    .selectFrom('directories')
    .select(['id', 'name'])
    .where('company_id', '=', tenant.company_id)
    .where('id', '=', sql<string>`any(${uniqueIds}::uuid[])`)
    .execute();
  return new Map(found.map((row) => [row.id, row]));
}
