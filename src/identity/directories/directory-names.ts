/** Directories in responses of logs, where their id takes the place of a user id. */
import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';

interface ShownDirectory {
  id: string;
  /** Its current name. */
  name: string;
}

/** @param ids of actors: users, installations, and directories @returns the existing directories among them, by id */
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
