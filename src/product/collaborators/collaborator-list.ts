/** Which collaborators a request is about: reach and filters, in the order that was asked for. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { operations } from '../../../generated/api.ts';
import type { DB } from '../../../generated/db.ts';
import type { Member } from '../../identity/members/member.ts';
import { type PointRead, pointRead } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { momentOf } from '../../platform/values/moments.ts';
import { visibility } from '../access/permissions.ts';
import { isId, type ListedRow, listedColumns, teamOf } from '../access/records.ts';

type Query = NonNullable<operations['listCollaborators']['parameters']['query']>;

export type Filters = Omit<Query, 'page' | 'per_page' | 'limit' | 'cursor' | 'sort'>;

export type CollaboratorQuery = SelectQueryBuilder<DB, 'collaborators', object>;

/** Only the filters, in one order: two requests with the same filters are the same to counts and cursors. */
export function filtersOf(query: Query): Filters {
  const { status, role, department, location, manager_id, search, updated_since, include_deleted } = query;
  return { status, role, department, location, manager_id, search, updated_since, include_deleted };
}

/**
 * Everyone who is in the caller's reach and matches all filters.
 * @param along whether the order is walked and each row looked at, instead of asking the index of the search: faster
 *   where many match, because the walk ends when the page is full
 */
export function matchingCollaborators(
  tenant: Tenant,
  member: Member,
  filters: Filters,
  along = false,
): CollaboratorQuery {
  const { status, role, department, location, manager_id, search, updated_since, include_deleted } = filters;
  const reach = visibility[member.role];
  const self = member.collaborator_id;
  return (tenant.selectFrom('collaborators') as unknown as CollaboratorQuery)
    .$if(!include_deleted, (query) => query.where('deleted_at', 'is', null))
    .$if(reach === 'team', (query) => query.where('id', 'in', teamOf(tenant, self)))
    .$if(reach === 'self', (query) => query.where('id', '=', self))
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(role !== undefined, (query) => query.where('role', '=', role!))
    .$if(department !== undefined, (query) => query.where(sql`lower(department)`, '=', sql`lower(${department})`))
    .$if(location !== undefined, (query) => query.where(sql`lower(location)`, '=', sql`lower(${location})`))
    .$if(manager_id !== undefined, (query) => query.where('manager_id', '=', isId(manager_id!) ? manager_id! : nobody))
    .$if(search !== undefined, (query) => query.where(searchText, 'like', containing(search!)))
    .$if(search !== undefined && !along, (query) =>
      query
        .where(searchKeys, '@>', termKeys(tenant, search!))
        .where(searchKeys, '@>', firstTermKey(tenant, search!))
        .where(searchKeys, '@>', firstTermKey(tenant, search!)),
    )
    .$if(updated_since !== undefined, (query) =>
      query.where('updated_at', '>=', momentOf(updated_since!).toISOString()),
    );
}

/** Rows of an order that are walked in no more time than a point read. */
const near = 1_000;

/** A page of the order, found by walking it. */
export async function pageOf(
  tenant: Tenant,
  member: Member,
  filters: Filters,
  keys: SortKey[],
  { limit, offset }: Slice,
): Promise<ListedRow[]> {
  if (keys.length === 2 && offset <= near && isUnfiltered(member, filters))
    return nearPage(keys)(tenant, limit, offset);
  return ordered(matchingCollaborators(tenant, member, filters, true), keys)
    .select(listedColumns)
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

/** Whether the counts of the company answer for these filters without counting. */
export function isWholeCompany(member: Member, { status: _, ...others }: Filters): boolean {
  return isUnfiltered(member, others);
}

function isUnfiltered(member: Member, filters: Filters): boolean {
  return (
    visibility[member.role] === 'all' && Object.values(filters).every((value) => value === undefined || value === false)
  );
}

const searchText = sql<string>`search_text`;
/** Stands in the index in the same words. */
const searchKeys = sql<string[]>`search_keys(company_id, search_text)`;
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * The pattern that finds a text anywhere, in the form the search column has. The term's own wildcards are escaped. In a
 * query of its own: otherwise a kept plan makes it anew for each row.
 */
function containing(term: string): RawBuilder<string> {
  return sql<string>`(select '%' || regexp_replace(search_form(${term}), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;
}

/** What a row must have among its keys. */
function termKeys(tenant: Tenant, term: string): RawBuilder<string[]> {
  return sql<string[]>`search_term_keys(${tenant.company_id}, search_form(${term}))`;
}

/**
 * Asked for beside all keys, and twice: to look a key up again costs nothing, and each condition lets Postgres expect
 * fewer rows. Otherwise it expects so many that it reads the list of the whole company, only to narrow them down.
 */
function firstTermKey(tenant: Tenant, term: string): RawBuilder<string[]> {
  return sql<string[]>`(${termKeys(tenant, term)})[1:1]`;
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
  name: { expression: sql`(left(search_form(name), 200) collate "C")`, type: text },
  email: { expression: sql`(left(search_form(email), 200) collate "C")`, type: text },
  department: { expression: sql`(left(search_form(department), 200) collate "C")`, type: text },
  position: { expression: sql`(left(search_form(position), 200) collate "C")`, type: text },
  status: { expression: sql`status`, type: text },
  hire_date: { expression: sql`coalesce(hire_date, 'infinity'::date)`, type: sql`date` },
  created_at: { expression: sql`created_at`, type: sql`timestamptz` },
  updated_at: { expression: sql`updated_at`, type: sql`timestamptz` },
};
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
) {
  const inOrder = keys.map(({ descending }, i) => sql`${sql.ref(`sort_${i}`)} ${descending ? sql`desc` : sql`asc`}`);
  const found = matching
    .select('id as found_id')
    .select(keys.map(({ expression }, i) => expression.as(`sort_${i}`)))
    .limit(most)
    .as('found');
  const page = tenant.raw
    .selectFrom(found)
    .selectAll()
    .select(sql<number>`count(*) over ()`.as('total'))
    .orderBy(sql.join(inOrder))
    .limit(limit)
    .offset(offset)
    .as('page');
  return tenant
    .selectFrom('collaborators')
    .innerJoin(page, (join) => join.onRef('id', '=', 'found_id'))
    .select([...listedColumns, 'total'])
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
