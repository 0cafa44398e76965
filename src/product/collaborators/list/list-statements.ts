/** The statements of lists. Each is cached by the shape of the request, and serves every caller and value (`composed.ts`). */
import { sql } from 'kysely';
import type { Member } from '../../../identity/members/member.ts';
import { cachedQuery } from '../../../platform/db/query-cache.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { scopeOf, visibility } from '../../access/permissions.ts';
import { type ListedRow, listedColumns } from '../../access/records.ts';
import type { FieldOrder } from '../../custom-fields/listed-fields.ts';
import { type CollaboratorQuery, collaboratorsLike, comparable, type Filters } from './collaborator-filters.ts';
import { after, ordered, positionColumn, type SortKey, sortKeys } from './list-order.ts';

/** The columns read per row. Rows are typed with all columns. */
export type ListedColumns = readonly (typeof listedColumns)[number][];

export interface Listing {
  member: Member;
  filters: Filters;
  sort: string | undefined;
  orders?: readonly FieldOrder[];
  columns: ListedColumns;
  /** Whether rows need a `list_position` for a cursor. */
  withPosition: boolean;
}

export interface Slice {
  limit: number;
  offset?: number | undefined;
  position?: readonly unknown[] | undefined;
}

type PositionedRow = ListedRow & { list_position: string[] };

/** Walks the sort index until the page is full, and tests each row. */
export async function walkOrder(tenant: Tenant, listing: Listing, slice: Slice): Promise<PositionedRow[]> {
  return walkQuery(tenant, shapeOf(listing), valuesOf(listing, slice));
}

/**
 * Finds first and sorts then, so that the order doesn't affect the plan. Sorts ids; reads other columns only for the page.
 * @param maxMatches maximum number of matches; `total` counts them
 */
export async function sortMatches(tenant: Tenant, listing: Listing, slice: Slice, maxMatches: number) {
  return sortQuery(tenant, shapeOf(listing), { ...valuesOf(listing, slice), maxMatches });
}

/** Counts matches. @param maxMatches stops counting here */
export async function countMatches(
  tenant: Tenant,
  member: Member,
  filters: Filters,
  maxMatches?: number,
): Promise<number> {
  const listing = { member, filters, sort: undefined, columns: listedColumns, withPosition: false };
  const [row] = await countQuery(tenant, shapeOf(listing), { ...valuesOf(listing), maxMatches });
  return row!.total;
}

type Shape = ReturnType<typeof shapeOf>;
type Values = ReturnType<typeof valuesOf>;

function shapeOf({ member, filters, sort, orders = [], columns, withPosition }: Listing) {
  const { role, isInstallation } = member;
  const { role: withRole, reports, has_manager: hasManager, include_deleted: includeDeleted } = filters; // partial index
  // Undefined for all columns, the common case, which avoids comparing their names.
  const selectedColumns = columns === listedColumns ? undefined : columns;
  const customConditions = filters.custom_fields?.map(({ type, operator }) => ({ type, operator }));
  const shape = {
    role,
    isInstallation,
    withRole,
    reports,
    has_manager: hasManager,
    include_deleted: includeDeleted,
    sort,
    columns: selectedColumns,
    withPosition,
  };
  return { ...shape, orders: orders.length > 0 ? orders : undefined, of_company: customConditions };
}

function valuesOf({ member, filters }: Listing, { limit, offset, position = [] }: Partial<Slice> = {}) {
  const {
    role: _,
    reports: __,
    has_manager: ___,
    include_deleted: ____,
    custom_fields: conditions = [],
    ...values
  } = comparable(filters);
  const self = scopeOf(visibility, member) === 'all' ? undefined : member.collaborator_id;
  // One parameter per value: an array would be a single one.
  const positionValues: Record<PositionKey, unknown> = Object.fromEntries(
    position.map((value, at) => [positionKey(at), value]),
  );
  const customConditions = Object.fromEntries(
    conditions.flatMap(({ key, value }, at) => [
      [conditionKey(at), key],
      [conditionValue(at), value],
    ]),
  );
  return { ...values, self, limit, offset: offset || undefined, ...positionValues, ...customConditions };
}

type PositionKey = `place_${number}`;

const conditionKey = (at: number) => `condition_${at}_key`;
const conditionValue = (at: number) => `condition_${at}_value`;

function positionKey(at: number): PositionKey {
  return `place_${at}`;
}

const walkQuery = cachedQuery((tenant, shape: Shape, values: Values) => {
  const keys = sortKeys(shape.sort, shape.orders);
  const walked = ordered(afterPosition(matching(tenant, shape, values, true), keys, values), keys).limit(values.limit!);
  const rows = values.offset === undefined ? walked : afterOffset(tenant, walked, keys, values.offset);
  return rows
    .select(columnsOf(shape))
    .$if(shape.withPosition, (query) => query.select(positionColumn(keys).as('list_position')))
    .$castTo<PositionedRow>();
});

/**
 * Rows after an offset: walks only ids, which the sort index contains, and reads other columns only for the page. By an array of ids,
 * because with a join the plan that Postgres keeps for all offsets expects so many rows that it reads the whole table.
 */
export function afterOffset(
  tenant: Tenant,
  walked: CollaboratorQuery,
  keys: SortKey[],
  offset: number,
): CollaboratorQuery {
  const page = walked.select('id').offset(offset);
  return ordered(tenant.selectFrom('collaborators').where('id', '=', sql<string>`any(array(${page}))`), keys);
}

const sortQuery = cachedQuery((tenant, shape: Shape, values: Values & { maxMatches: number }) => {
  const keys = sortKeys(shape.sort, shape.orders);
  const sortOrder = keys.map(({ descending }, i) => sql`${sql.ref(`sort_${i}`)} ${descending ? sql`desc` : sql`asc`}`);
  const found = afterPosition(matching(tenant, shape, values, false), keys, values)
    .select('id as found_id')
    .select(keys.map(({ expression }, i) => expression.as(`sort_${i}`)))
    .limit(values.maxMatches)
    .as('found');
  const page = tenant.raw
    .selectFrom(found)
    .select('found_id')
    .select(keys.map((_, i) => sql.ref(`sort_${i}`).as(`sort_${i}`)))
    .select(sql<number>`count(*) over ()`.as('total'))
    .orderBy(sql.join(sortOrder))
    .limit(values.limit!)
    .$if(values.offset !== undefined, (query) => query.offset(values.offset!))
    .as('page');
  return tenant
    .selectFrom('collaborators')
    .innerJoin(page, (join) => join.onRef('id', '=', 'found_id'))
    .select(columnsOf(shape))
    .select('total')
    .$if(shape.withPosition, (query) => query.select(positionColumn(keys).as('list_position')))
    .orderBy(sql.join(sortOrder))
    .$castTo<PositionedRow & { total: number }>();
});

const countQuery = cachedQuery(
  (tenant, shape: Shape, { maxMatches, ...values }: Values & { maxMatches: number | undefined }) => {
    const found = matching(tenant, shape, values, false)
      .select('id')
      .$if(maxMatches !== undefined, (query) => query.limit(maxMatches!));
    return tenant.raw.selectFrom(found.as('found')).select((eb) => eb.fn.countAll<number>().as('total'));
  },
);

function matching(tenant: Tenant, shape: Shape, values: Values, walksSortIndex: boolean): CollaboratorQuery {
  const { role, isInstallation, withRole, reports, has_manager: hasManager } = shape;
  const { include_deleted: includeDeleted, of_company: customConditions } = shape;
  const valuesByName = values as unknown as Record<string, string>;
  const conditions = customConditions?.map((each, at) => {
    return { ...each, key: valuesByName[conditionKey(at)]!, value: valuesByName[conditionValue(at)]! };
  });
  const member = { role, isInstallation, collaborator_id: values.self } as Member;
  return collaboratorsLike(
    tenant,
    member,
    {
      ...values,
      role: withRole,
      reports,
      has_manager: hasManager,
      include_deleted: includeDeleted,
      custom_fields: conditions,
    },
    walksSortIndex,
  );
}

function afterPosition(query: CollaboratorQuery, keys: SortKey[], values: Values): CollaboratorQuery {
  const position = keys.map((_, at) => (values as Record<PositionKey, unknown>)[positionKey(at)]);
  return position[0] === undefined ? query : query.where(after(keys, position));
}

function columnsOf({ columns = listedColumns }: Shape) {
  return columns as typeof listedColumns;
}
