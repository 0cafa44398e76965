/** The values that a field has, and how many have each. */
import { sql } from 'kysely';
import type { Member } from '../../identity/members/member.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { matchingCollaborators } from './collaborator-filters.ts';
import { sortExpression } from './list-order.ts';

type ChosenField = 'department' | 'location' | 'position';

/** @param behind where to go on: a value, and before it what it is sorted by */
export async function fieldValues(
  tenant: Tenant,
  member: Member,
  field: ChosenField,
  limit: number,
  behind: [sort_key: string, value: string] | undefined,
) {
  const value = sql<string>`(${sql.ref(field)} collate "C")`;
  const key = sortExpression(field);
  return matchingCollaborators(tenant, member, {})
    .select([value.as('value'), key.as('sort_key'), sql<number>`count(*)`.as('count')])
    .where(sql.ref(field), 'is not', null)
    .$if(behind !== undefined, (query) =>
      query.where(sql<boolean>`(${key}, ${value}) > (${behind![0]}::text, ${behind![1]}::text)`),
    )
    .groupBy([key, value])
    .orderBy(key)
    .orderBy(value)
    .limit(limit)
    .execute();
}
