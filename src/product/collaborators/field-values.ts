/** The values that a field has, and how many have each. */
import { sql } from 'kysely';
import type { Member } from '../../identity/members/member.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { matchingCollaborators } from './collaborator-filters.ts';
import { sortExpression } from './list-order.ts';

type ChosenField = 'department' | 'location' | 'position';

/**
 * Counted as it is written, and only what is found is brought into the form it is sorted by: that form of each person would take
 * longer than all else.
 * @param behind where to go on: a value, and before it what it is sorted by
 */
export async function fieldValues(
  tenant: Tenant,
  member: Member,
  field: ChosenField,
  limit: number,
  behind: [sortKey: string, value: string] | undefined,
) {
  const written = matchingCollaborators(tenant, member, {})
    .select([sql<string>`${sql.ref(field)}`.as('written'), sql<number>`count(*)`.as('count')])
    .where(sql.ref(field), 'is not', null)
    .groupBy(sql.ref(field))
    .as('found');
  const value = sql<string>`(written collate "C")`;
  const key = sortExpression('written');
  return tenant.raw
    .selectFrom(written)
    .select([value.as('value'), key.as('sort_key'), 'count'])
    .$if(behind !== undefined, (query) =>
      query.where(sql<boolean>`(${key}, ${value}) > (${behind![0]}::text, ${behind![1]}::text)`),
    )
    .orderBy(key)
    .orderBy(value)
    .limit(limit)
    .execute();
}
