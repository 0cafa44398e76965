import { Problem } from '../../../contract/problem.ts';
import { keysetPage } from '../../../platform/db/cursor.ts';
import { listedColumns } from '../../../product/access/records.ts';
import { companyCounts, countedOnce } from '../../../product/collaborators/collaborator-counts.ts';
import * as list from '../../../product/collaborators/collaborator-list.ts';
import { listedView } from '../../../product/collaborators/collaborator-view.ts';
import type { Context, Handler, Request } from '../../handler.ts';

const default_page_size = 20;
/** Matches that are sorted faster than the order is walked until a page of them is found, in a large company. */
const few = 2_000;
/** A trigram needs three characters. */
const shortest_indexed = 3;

type Query = Request<'listCollaborators'>['query'];

export const listCollaborators: Handler<'listCollaborators'> = async ({ query }, context) => {
  const { page, per_page, limit, cursor } = query;
  const cursorForm = limit !== undefined || cursor !== undefined;
  if (!cursorForm) return { status: 200, body: await numberedPage(query, context) };
  if (page === undefined && per_page === undefined) return { status: 200, body: await cursorPage(query, context) };
  throw new Problem(400, 'pagination_conflict', 'Use page and per_page, or limit and cursor, but not both.');
};

async function numberedPage(query: Query, context: Context<'listCollaborators'>) {
  const { page = 1, per_page = default_page_size, sort } = query;
  const { tenant, member } = context;
  const filters = list.filtersOf(query);
  const keys = list.sortKeys(sort);
  const slice = { limit: per_page, offset: (page - 1) * per_page };
  const found = await fewMatches(list.matchingCollaborators(tenant, member, filters), filters, keys, slice, context);
  const [total, rows] = found
    ? [found.total, found.rows]
    : await Promise.all([totalOf(filters, context), list.pageOf(tenant, member, filters, keys, slice)]);
  const total_pages = Math.ceil(total / per_page);
  const meta = { total, page, per_page, total_pages, has_next: page < total_pages, has_prev: page > 1 };
  return { data: rows.map((row) => listedView(row, context)), meta };
}

/** Exact. Counted only for what the counts of the company don't say, and only when something has changed. */
async function totalOf(filters: list.Filters, { tenant, member }: Context<'listCollaborators'>): Promise<number> {
  const counts = await companyCounts(tenant);
  if (list.isWholeCompany(member, filters)) return filters.status ? counts[filters.status] : counts.total;
  return countedOnce(tenant, [member, filters], counts.changes, async () => {
    const { total } = await list
      .matchingCollaborators(tenant, member, filters)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return total;
  });
}

async function cursorPage(query: Query, context: Context<'listCollaborators'>) {
  const { limit = default_page_size, cursor, sort } = query;
  const { tenant, member, cursors } = context;
  const filters = list.filtersOf(query);
  const keys = list.sortKeys(sort);
  const binding = ['listCollaborators', tenant.company_id, member.collaborator_id, filters, sort ?? null];
  const position = cursor === undefined ? undefined : cursors.open(cursor, binding);
  const behind = (along: boolean) => {
    const matching = list.matchingCollaborators(tenant, member, filters, along);
    return position === undefined ? matching : matching.where(list.after(keys, position));
  };
  const found = await fewMatches(behind(false), filters, keys, { limit: limit + 1, offset: 0 }, context);
  const rows =
    found?.rows ??
    (await list
      .ordered(behind(true), keys)
      .select(listedColumns)
      .select(list.positionColumn(keys).as('list_position'))
      .limit(limit + 1)
      .execute());
  const page = keysetPage(rows, limit, (row) => cursors.seal(row.list_position, binding));
  return { data: page.rows.map((row) => listedView(row, context)), pagination: page.pagination };
}

/**
 * What a search finds, when that is little: found through its index, counted and sorted in one statement.
 * @returns undefined where walking the order is better: without a search, and where many match
 */
async function fewMatches(
  matching: list.CollaboratorQuery,
  filters: list.Filters,
  keys: list.SortKey[],
  slice: list.Slice,
  { tenant, member }: Context<'listCollaborators'>,
) {
  const { search } = filters;
  if (search === undefined || search.length < shortest_indexed) return undefined;
  const find = () => list.sortedMatches(tenant, matching, keys, few + 1, slice).execute();
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
