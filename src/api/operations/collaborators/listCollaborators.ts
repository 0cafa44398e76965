import { say } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import { keysetPage } from '../../../platform/db/cursor.ts';
import type { listedColumns } from '../../../product/access/records.ts';
import { requireForSalaries } from '../../../product/access/step-up.ts';
import { companyCounts, countedOnce, lastCount } from '../../../product/collaborators/collaborator-counts.ts';
import {
  type CollaboratorQuery,
  type Filters,
  filtersOf,
  isWholeCompany,
  matchingCollaborators,
} from '../../../product/collaborators/collaborator-filters.ts';
import * as list from '../../../product/collaborators/collaborator-list.ts';
import { listedCollaborators } from '../../../product/collaborators/shown-collaborators.ts';
import { wantedColumns, wantedFields } from '../../../product/collaborators/wanted-fields.ts';
import type { Context, Handler, Request } from '../../handler.ts';

const default_page_size = 20;
/** Matches that are sorted faster than the order is walked until a page of them is found, in a large company. */
const few = 2_000;
/** A trigram needs three characters. */
const shortest_indexed = 3;
/** Matches that are counted again for each answer while a list is read on and changes. The contract names it. */
const most_recounted = 10_000;

type Query = Request<'listCollaborators'>['query'];

export const listCollaborators: Handler<'listCollaborators'> = async ({ query }, context) => {
  const { page, per_page, limit, cursor } = query;
  const cursorForm = limit !== undefined || cursor !== undefined;
  if (!cursorForm) return { status: 200, body: await numberedPage(query, context) };
  if (page === undefined && per_page === undefined) return { status: 200, body: await cursorPage(query, context) };
  throw new Problem(400, 'pagination_conflict', say`Use page and per_page, or limit and cursor, but not both.`);
};

async function numberedPage(query: Query, context: Context<'listCollaborators'>) {
  const { page = 1, per_page = default_page_size, sort } = query;
  const { tenant, member } = context;
  const filters = filtersOf(query);
  const keys = list.sortKeys(sort);
  const wanted = wantedFields(query);
  requireForSalaries(wanted.fields, context);
  const columns = wantedColumns(wanted);
  const slice = { limit: per_page, offset: (page - 1) * per_page };
  const matching = matchingCollaborators(tenant, member, filters);
  const found = await fewMatches({ matching, filters, keys, slice, columns }, context);
  const [total, rows] = found
    ? [found.total, found.rows]
    : await Promise.all([totalOf(filters, context), list.pageOf(tenant, member, filters, keys, slice, columns)]);
  const total_pages = Math.ceil(total / per_page);
  const meta = { total, page, per_page, total_pages, has_next: page < total_pages, has_prev: page > 1 };
  return { data: await listedCollaborators(rows, wanted, context), meta };
}

/** Exact. Counted only for what the counts of the company don't say, and only when something has changed. */
async function totalOf(filters: Filters, { tenant, member }: Context<'listCollaborators'>): Promise<number> {
  const counts = await companyCounts(tenant);
  if (isWholeCompany(member, filters)) return filters.status ? counts[filters.status] : counts.total;
  return countedOnce(tenant, [member, filters], counts.changes, async () => {
    const { total } = await matchingCollaborators(tenant, member, filters)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return total;
  });
}

/** The same while a list is read on: undefined where it is long, and would have to be counted again for each answer. */
async function totalReadingOn(filters: Filters, context: Context<'listCollaborators'>): Promise<number | undefined> {
  const { tenant, member } = context;
  const last = lastCount(tenant, [member, filters]);
  if (last && last.total > most_recounted && !isWholeCompany(member, filters)) {
    const { changes } = await companyCounts(tenant);
    return last.changes === changes ? last.total : undefined;
  }
  return totalOf(filters, context);
}

async function cursorPage(query: Query, context: Context<'listCollaborators'>) {
  const { limit = default_page_size, cursor, sort } = query;
  const { tenant, member, cursors } = context;
  const filters = filtersOf(query);
  const keys = list.sortKeys(sort);
  const wanted = wantedFields(query);
  requireForSalaries(wanted.fields, context);
  const columns = wantedColumns(wanted);
  const binding = ['listCollaborators', tenant.company_id, member.collaborator_id, filters, sort ?? null];
  const position = cursor === undefined ? undefined : cursors.open(cursor, binding);
  const behind = (along: boolean) => {
    const matching = matchingCollaborators(tenant, member, filters, along);
    return position === undefined ? matching : matching.where(list.after(keys, position));
  };
  const slice = { limit: limit + 1, offset: 0 };
  const found = await fewMatches({ matching: behind(false), filters, keys, slice, columns }, context);
  const [total, rows] = await Promise.all([
    position === undefined ? (found?.total ?? totalOf(filters, context)) : totalReadingOn(filters, context),
    found?.rows ??
      list
        .ordered(behind(true), keys)
        .select(columns as typeof listedColumns)
        .select(list.positionColumn(keys).as('list_position'))
        .limit(limit + 1)
        .execute(),
  ]);
  const page = keysetPage(rows, limit, (row) => cursors.seal(row.list_position, binding));
  return { data: await listedCollaborators(page.rows, wanted, context), pagination: { ...page.pagination, total } };
}

/**
 * What a search finds, when that is little: found through its index, counted and sorted in one statement.
 * @returns undefined where walking the order is better: without a search, and where many match
 */
async function fewMatches(
  { matching, filters, keys, slice, columns }: Search,
  { tenant, member }: Context<'listCollaborators'>,
) {
  const { search } = filters;
  if (search === undefined || search.length < shortest_indexed) return undefined;
  const find = () => list.sortedMatches(tenant, matching, keys, few + 1, slice, columns).execute();
  const { changes } = await companyCounts(tenant);
  let rows: Awaited<ReturnType<typeof find>> | undefined;
  const many = await countedOnce(tenant, ['many', member, filters], changes, async () => {
    rows = await find();
    return Number((rows[0]?.total ?? 0) > few);
  });
  if (many) return undefined;
  rows ??= await find();
  const total = rows[0]?.total ?? (slice.offset === 0 ? 0 : undefined);
  return total === undefined || total > few ? undefined : { rows, total };
}

interface Search {
  matching: CollaboratorQuery;
  filters: Filters;
  keys: list.SortKey[];
  slice: list.Slice;
  columns: list.ListedColumns;
}
