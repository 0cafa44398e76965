/** How many people report to each of some collaborators directly, as `expand=reports_count` shows it. */
import { sql } from 'kysely';
import type { Member } from '../../../identity/members/member.ts';
import { pointRead } from '../../../platform/db/statement.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { scopeOf, visibility } from '../../access/permissions.ts';
import type { ListedRow } from '../../access/records.ts';

/** @param ids of a page at most */
const readCounts = pointRead((tenant: Tenant, ids: readonly string[]) =>
  tenant
    .selectFrom('collaborators')
    .select(['manager_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('manager_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .groupBy('manager_id'),
);

/**
 * @param rows of a page, in the member's reach
 * @returns the number for each of them. A member who reaches a team reaches everybody who reports to somebody in it; one who reaches
 *   only themselves reaches none of their reports
 */
export async function reportsCounts(
  tenant: Tenant,
  member: Member,
  rows: readonly Pick<ListedRow, 'id'>[],
): Promise<(row: Pick<ListedRow, 'id'>) => number> {
  const ids = scopeOf(visibility, member) === 'self' ? [] : rows.map(({ id }) => id);
  const found = ids.length > 0 ? await readCounts(tenant, ids) : [];
  const counts = new Map(found.map(({ manager_id: managerId, count }) => [managerId, count]));
  return ({ id }) => counts.get(id) ?? 0;
}
