import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import { keysetPage } from '../../../platform/db/cursor.ts';
import { requireForHidden } from '../../../product/access/step-up.ts';
import {
  type Filters,
  filtersOf,
  isAllEmployees,
  isWholeCompany,
} from '../../../product/collaborators/list/collaborator-filters.ts';
import { pageOf } from '../../../product/collaborators/list/collaborator-list.ts';
import {
  countMatches,
  type Listing,
  type Slice,
  sortMatches,
  walkOrder,
} from '../../../product/collaborators/list/list-statements.ts';
import { listCollaboratorResponses } from '../../../product/collaborators/responses/list-responses.ts';
import { requestedColumns, requestedFields } from '../../../product/collaborators/responses/requested-fields.ts';
import { companyCounts, countEmployees } from '../../../product/collaborators/write/collaborator-counts.ts';
import { fieldOrders } from '../../../product/custom-fields/listed-fields.ts';
import type { Context, Handler, Request } from '../../handler.ts';

const defaultPageSize = 20;
/** Up to this many matches, sorting them is faster in a large company than walking the sort index until a page is full. */
const maxSortedMatches = 2_000;
/** A trigram needs three characters. */
const minIndexedLength = 3;
/** Up to this many matches, the total is counted again for each further page. The contract states it. */
const maxRecounted = 10_000;

type Query = Request<'listCollaborators'>['query'];

export const listCollaborators: Handler<'listCollaborators'> = async ({ query }, context) => {
  const { page, per_page: perPage, limit, cursor } = query;
  const usesCursor = limit !== undefined || cursor !== undefined;
  if (!usesCursor) return { status: 200, body: await numberedPage(query, context) };
  if (page === undefined && perPage === undefined) return { status: 200, body: await cursorPage(query, context) };
  throw new Problem(400, 'pagination_conflict', t`Use page and per_page, or limit and cursor, but not both.`);
};

async function numberedPage(query: Query, context: Context<'listCollaborators'>) {
  const { page = 1, per_page: perPage = defaultPageSize } = query;
  const { tenant } = context;
  const { listing, fieldSelection } = listingOf(query, context, false);
  const slice = { limit: perPage, offset: (page - 1) * perPage };
  const found = await fewMatches(listing, slice, context);
  const [total, rows] = found
    ? [found.total, found.rows]
    : await Promise.all([totalOf(listing.filters, context), pageOf(tenant, listing, slice)]);
  const totalPages = Math.ceil(total / perPage);
  const meta = {
    total,
    page,
    per_page: perPage,
    total_pages: totalPages,
    has_next: page < totalPages,
    has_prev: page > 1,
  };
  return { data: await listCollaboratorResponses(rows, fieldSelection, context), meta };
}

/** @throws 400; 401 if salaries are requested without a recent sign-in */
function listingOf(query: Query, context: Context<'listCollaborators'>, withPosition: boolean) {
  const filters = filtersOf(query, context);
  const fieldSelection = requestedFields(query, context);
  requireForHidden(fieldSelection.fields, context);
  const { sort } = query;
  const orders = fieldOrders(sort, context);
  const listing: Listing = {
    member: context.member,
    filters,
    sort,
    orders,
    columns: requestedColumns(fieldSelection),
    withPosition,
  };
  return { listing, fieldSelection };
}

/** Exact. Only counts what the company's counters don't cover. */
async function totalOf(filters: Filters, { tenant, member }: Context<'listCollaborators'>): Promise<number> {
  if (isAllEmployees(member, filters)) return countEmployees(tenant);
  if (!isWholeCompany(member, filters)) return countMatches(tenant, member, filters);
  const counts = await companyCounts(tenant);
  return filters.status ? counts[filters.status] : counts.total;
}

/** For further pages: undefined for long lists, which would be counted again for each page. */
async function totalForNextPage(filters: Filters, context: Context<'listCollaborators'>): Promise<number | undefined> {
  const { tenant, member } = context;
  if (isAllEmployees(member, filters) || isWholeCompany(member, filters)) return totalOf(filters, context);
  const total = await countMatches(tenant, member, filters, maxRecounted + 1);
  return total > maxRecounted ? undefined : total;
}

async function cursorPage(query: Query, context: Context<'listCollaborators'>) {
  const { limit = defaultPageSize, cursor, sort } = query;
  const { tenant, member, cursors } = context;
  const { listing, fieldSelection } = listingOf(query, context, true);
  const { filters, orders } = listing;
  const binding = ['listCollaborators', tenant.company_id, member.collaborator_id, filters, sort ?? null, orders];
  const position = cursor === undefined ? undefined : cursors.open(cursor, binding);
  const slice = { limit: limit + 1, position };
  const found = await fewMatches(listing, slice, context);
  const [total, rows] = await Promise.all([
    position === undefined ? (found?.total ?? totalOf(filters, context)) : totalForNextPage(filters, context),
    found?.rows ?? walkOrder(tenant, listing, slice),
  ]);
  const page = keysetPage(rows, limit, (row) => cursors.seal(row.list_position, binding));
  return {
    data: await listCollaboratorResponses(page.rows, fieldSelection, context),
    pagination: { ...page.pagination, total },
  };
}

/**
 * Finds the matches of a selective filter by its index, and counts and sorts them in one statement.
 * @returns undefined if walking the sort index is better: with other filters, or with many matches
 */
async function fewMatches(listing: Listing, slice: Slice, { tenant }: Context<'listCollaborators'>) {
  if (!isSelective(listing.filters)) return undefined;
  const rows = await sortMatches(tenant, listing, slice, maxSortedMatches + 1);
  const total = rows[0]?.total ?? (slice.offset ? undefined : 0);
  return total === undefined || total > maxSortedMatches ? undefined : { rows, total };
}

/** Few people have no manager, except in companies without reporting lines. */
function isSelective({ search, has_manager: hasManager }: Filters): boolean {
  return hasManager === false || (search !== undefined && search.length >= minIndexedLength);
}
