/** The distinct values of a field, with counts. */
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../../../contract/problem.ts';
import type { CompanyField } from '../../../identity/members/company-fields.ts';
import type { Member, Viewer } from '../../../identity/members/member.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { fieldReadOfAll } from '../../custom-fields/listed-fields.ts';
import { matchingCollaborators } from './collaborator-filters.ts';
import { sortExpression } from './list-order.ts';

const plainFields = ['department', 'location', 'position'] as const;
const customPrefix = 'custom_fields.';
/** Long texts aren't choices, and multiple choices have several values. */
const uncounted: readonly CompanyField['type'][] = ['long_text', 'multi_choice'];

interface ChosenField {
  custom?: CompanyField;
  value: RawBuilder<string>;
}

/** @throws 404 for an unknown field, or one the reader may not read of everyone in their reach; 401 */
export function chosenField(name: string, reader: Pick<Viewer, 'caller' | 'member'>): ChosenField {
  const plain = plainFields.find((each) => each === name);
  if (plain) return { value: sql<string>`${sql.ref(plain)}` };
  const custom = name.startsWith(customPrefix) ? fieldReadOfAll(name.slice(customPrefix.length), reader) : undefined;
  if (!custom || uncounted.includes(custom.type)) throw notFound();
  return { custom, value: sql<string>`(custom_fields ->> ${sql.lit(custom.key)})` };
}

/**
 * Groups by the raw value, and computes the sort key only for the results: computing it per person would dominate the time.
 * @param cursor sort key and value to continue after
 */
export async function fieldValues(
  tenant: Tenant,
  member: Member,
  { value: expression }: ChosenField,
  limit: number,
  cursor: [sortKey: string, value: string] | undefined,
) {
  const written = matchingCollaborators(tenant, member, {})
    .select([expression.as('written'), sql<number>`count(*)`.as('count')])
    .where(expression, 'is not', null)
    .groupBy(expression)
    .as('found');
  const value = sql<string>`(written collate "C")`;
  const key = sortExpression('written');
  return tenant.raw
    .selectFrom(written)
    .select([value.as('value'), key.as('sort_key'), 'count'])
    .$if(cursor !== undefined, (query) =>
      query.where(sql<boolean>`(${key}, ${value}) > (${cursor![0]}::text, ${cursor![1]}::text)`),
    )
    .orderBy(key)
    .orderBy(value)
    .limit(limit)
    .execute();
}
