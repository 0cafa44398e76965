/** Sort orders of collaborators, and keyset pagination. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { DB } from '../../../../generated/db.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { type FieldOrder, orderExpression } from '../../custom-fields/listed-fields.ts';
import type { CollaboratorQuery } from './collaborator-filters.ts';

/** One sort key: the compared expression, and its type in a cursor. */
export interface SortKey {
  name: string;
  expression: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
  descending: boolean;
}

const text = sql`text`;
/** The same expressions as in the indexes. */
const sortable: Record<string, Pick<SortKey, 'expression' | 'type'>> = {
  name: { expression: sortExpression('name'), type: text },
  email: { expression: sortExpression('email'), type: text },
  department: { expression: sortExpression('department'), type: text },
  position: { expression: sortExpression('position'), type: text },
  status: { expression: sql`status`, type: text },
  hire_date: { expression: sql`coalesce(hire_date, 'infinity'::date)`, type: sql`date` },
  created_at: { expression: sql`created_at`, type: sql`timestamptz` },
  updated_at: { expression: sql`updated_at`, type: sql`timestamptz` },
};

/** Sorts texts regardless of case and accents, and independent of the database's locale. */
export function sortExpression(column: 'name' | 'email' | 'department' | 'position' | 'written'): RawBuilder<string> {
  return sql<string>`(left(search_form(${sql.ref(column)}), 200) collate "C")`;
}

const byId = { name: 'id', expression: sql`id`, type: sql`uuid` };

/**
 * A total order: the keys of `sort`, then the id in the direction of the first key, so that one index serves both directions.
 * @param sort as in the contract, for example `-hire_date,name`
 */
export function sortKeys(sort = 'created_at', customOrders: readonly FieldOrder[] = []): SortKey[] {
  const named = sort.split(',').map((part) => {
    const descending = part.startsWith('-');
    const name = descending ? part.slice(1) : part;
    const custom = customOrders.find(({ key }) => name === `custom_fields.${key}`);
    return { name, ...(custom ? orderExpression(custom, descending) : sortable[name]!), descending };
  });
  // A repeated key doesn't affect the order.
  const keys = named.filter(({ name }, i) => named.findIndex((key) => key.name === name) === i);
  return [...keys, { ...byId, descending: keys[0]!.descending }];
}

export function ordered<Q extends SelectQueryBuilder<DB, 'collaborators', object>>(query: Q, keys: SortKey[]): Q {
  return keys.reduce((sorted, { expression, descending }) => {
    return sorted.orderBy(expression, descending ? 'desc' : 'asc') as Q;
  }, query);
}

/** Up to this many, finding all and sorting them costs about as much as walking the sort index of a large company for a page. */
const maxSorted = 500;

/**
 * Finds few people first, and sorts then: with `limit`, Postgres walks the sort index through the whole company if it expects more.
 * @param total number of matches
 * @param matching builds the query; `walksSortIndex` as in `collaboratorsLike`
 */
export function fewFirst(
  tenant: Tenant,
  total: number,
  matching: (walksSortIndex: boolean) => CollaboratorQuery,
): CollaboratorQuery {
  if (total > maxSorted) return matching(true);
  const ids = sql<string>`any(array(${matching(false).select('id')}))`;
  return (tenant.selectFrom('collaborators') as unknown as CollaboratorQuery).where('id', '=', ids);
}

export function positionColumn(keys: SortKey[]): RawBuilder<string[]> {
  return sql<string[]>`array[${sql.join(keys.map(({ expression }) => sql`(${expression})::text`))}]`;
}

/**
 * In one direction, a single row comparison, which an index serves. In mixed directions: after in the first key, or equal there
 * and after in the second, and so on.
 */
export function after(keys: SortKey[], position: unknown[]): RawBuilder<boolean> {
  const values = keys.map(({ type }, i) => sql`cast(${position[i]} as ${type})`);
  const expressions = keys.map(({ expression }) => expression);
  const sign = (key: SortKey) => (key.descending ? sql`<` : sql`>`);
  if (keys.every(({ descending }) => descending === keys[0]!.descending)) {
    return sql<boolean>`(${sql.join(expressions)}) ${sign(keys[0]!)} (${sql.join(values)})`;
  }
  const alternatives = keys.map((key, i) => {
    const equal = keys.slice(0, i).map((_, j) => sql`${expressions[j]} = ${values[j]} and `);
    return sql`(${sql.join(equal, sql``)}${expressions[i]} ${sign(key)} ${values[i]})`;
  });
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
}
