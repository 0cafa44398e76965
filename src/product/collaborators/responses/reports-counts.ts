/** Counts the direct reports of collaborators, for `expand=reports_count`. */
import { sql } from 'kysely';
import type { Member } from '../../../identity/members/member.ts';
import { pointRead } from '../../../platform/db/statement.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { scopeOf, visibility } from '../../access/permissions.ts';
import type { ListedRow } from '../../access/records.ts';

/** @param ids at most one page */
const readCounts = pointRead((tenant: Tenant, ids: readonly string[]) =>
  tenant
    .selectFrom('collaborators')
    .select(['manager_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('manager_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .groupBy('manager_id'),
);

/**
 * @param rows of a page, all visible to the member
 * @returns the count of each row. Members who see a team also see every report of its people; members who see only themselves see
 *   no reports, so their count is 0
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
