/** Pages of collaborators, in the order that was asked for. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { Member } from '../../identity/members/member.ts';
import { type PointRead, pointRead } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { type ListedRow, listedColumns } from '../access/records.ts';
import { type CollaboratorQuery, type Filters, isUnfiltered, matchingCollaborators } from './collaborator-filters.ts';

/** Rows of an order that are walked in no more time than a point read. */
const near = 1_000;

/** What is read of each row: all, or less. Rows have the type of all. */
export type ListedColumns = readonly (typeof listedColumns)[number][];

/** A page of the order, found by walking it. */
export async function pageOf(
  tenant: Tenant,
  member: Member,
  filters: Filters,
  keys: SortKey[],
  { limit, offset }: Slice,
  columns: ListedColumns,
): Promise<ListedRow[]> {
  if (columns === listedColumns && keys.length === 2 && offset <= near && isUnfiltered(member, filters))
    return nearPage(keys)(tenant, limit, offset);
  return ordered(matchingCollaborators(tenant, member, filters, true), keys)
    .select(columns as typeof listedColumns)
    .limit(limit)
    .offset(offset)
    .execute();
}

export interface Slice {
  limit: number;
  offset: number;
}

type NearPage = PointRead<[limit: number, offset: number], ListedRow>;

const nearPages = new Map<string, NearPage>();

/**
 * What nearly every list is: the first pages of the whole company, by one field (and the id). Kept for everybody, so nothing
 * of the request is in it but the order; and of one field, so that there are not more of them than fields.
 */
function nearPage(keys: SortKey[]): NearPage {
  const order = keys.map(({ name, descending }) => `${descending ? '-' : ''}${name}`).join();
  const known = nearPages.get(order);
  if (known) return known;
  const page: NearPage = pointRead((tenant: Tenant, limit: number, offset: number) =>
    ordered((tenant.selectFrom('collaborators') as unknown as CollaboratorQuery).where('deleted_at', 'is', null), keys)
      .select(listedColumns)
      .limit(limit)
      .offset(offset),
  );
  nearPages.set(order, page);
  return page;
}

/** One part of an order: what is compared, and the type that its value has when it comes back in a cursor. */
export interface SortKey {
  name: string;
  expression: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
  descending: boolean;
}

const text = sql`text`;
/** The expressions stand in the indexes in the same words. */
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

/** Texts in the order of people: without regard to case and accents, whatever the locale of the database. */
export function sortExpression(column: 'name' | 'email' | 'department' | 'position' | 'location'): RawBuilder<string> {
  return sql<string>`(left(search_form(${sql.ref(column)}), 200) collate "C")`;
}

const byId = { name: 'id', expression: sql`id`, type: sql`uuid` };

/**
 * An order without ties: the keys of `sort`, then the id in the direction of the first key, so that one index serves
 * both directions.
 * @param sort as the contract has it, for example `-hire_date,name`
 */
export function sortKeys(sort = 'created_at'): SortKey[] {
  const keys = sort.split(',').map((part) => {
    const descending = part.startsWith('-');
    const name = descending ? part.slice(1) : part;
    return { name, ...sortable[name]!, descending };
  });
  return [...keys, { ...byId, descending: keys[0]!.descending }];
}

export function ordered<Q extends SelectQueryBuilder<DB, 'collaborators', object>>(query: Q, keys: SortKey[]): Q {
  return keys.reduce((sorted, { expression, descending }) => {
    return sorted.orderBy(expression, descending ? 'desc' : 'asc') as Q;
  }, query);
}

/**
 * Finds first and sorts then, so that the order does not decide how it is found. Ids are found and sorted; all else is read
 * for those of the page.
 * @param most matches that are looked at; `total` says how many there were
 */
export function sortedMatches(
  tenant: Tenant,
  matching: CollaboratorQuery,
  keys: SortKey[],
  most: number,
  { limit, offset }: Slice,
  columns: ListedColumns,
) {
  const inOrder = keys.map(({ descending }, i) => sql`${sql.ref(`sort_${i}`)} ${descending ? sql`desc` : sql`asc`}`);
  const found = matching
    .select('id as found_id')
    .select(keys.map(({ expression }, i) => expression.as(`sort_${i}`)))
    .limit(most)
    .as('found');
  const page = tenant.raw
    .selectFrom(found)
    .select('found_id')
    .select(keys.map((_, i) => sql.ref(`sort_${i}`).as(`sort_${i}`)))
    .select(sql<number>`count(*) over ()`.as('total'))
    .orderBy(sql.join(inOrder))
    .limit(limit)
    .offset(offset)
    .as('page');
  return tenant
    .selectFrom('collaborators')
    .innerJoin(page, (join) => join.onRef('id', '=', 'found_id'))
    .select(columns as typeof listedColumns)
    .select('total')
    .select(positionColumn(keys).as('list_position'))
    .orderBy(sql.join(inOrder));
}

/** The values of the keys, as text that `after` takes back. */
export function positionColumn(keys: SortKey[]): RawBuilder<string[]> {
  return sql<string[]>`array[${sql.join(keys.map(({ expression }) => sql`(${expression})::text`))}]`;
}

/**
 * What comes behind a position. One direction: a single comparison of rows, which an index answers from that place on.
 * Mixed: behind in the first key, or equal there and behind in the second, and so on.
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
