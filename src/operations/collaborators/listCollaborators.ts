import { collaboratorColumns } from '../../access/records.ts';
import { companyCounts, countedOnce } from '../../collaborators/counts.ts';
import * as list from '../../collaborators/list.ts';
import { listedView } from '../../collaborators/view.ts';
import { keysetPage } from '../../db/cursor.ts';
import { Problem } from '../../errors.ts';
import type { Context, Handler, Request } from '../../http/handler.ts';

const default_page_size = 20;
/** Matches that are quickly sorted, however they are found. */
const few = 500;

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
  const total = await totalOf(filters, context);
  const rows = await list
    .ordered(list.matchingCollaborators(tenant, member, filters, total > few), list.sortKeys(sort))
    .select(collaboratorColumns)
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();
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

/** Whether more match than it takes to make walking the order the better way. Cheap: it stops counting there. */
async function manyMatch(filters: list.Filters, { tenant, member }: Context<'listCollaborators'>): Promise<boolean> {
  if (filters.search === undefined) return false;
  const { changes } = await companyCounts(tenant);
  const found = await countedOnce(tenant, [member, filters, few], changes, async () => {
    const some = list
      .matchingCollaborators(tenant, member, filters)
      .select('id')
      .limit(few + 1);
    return (await some.execute()).length;
  });
  return found > few;
}

async function cursorPage(query: Query, context: Context<'listCollaborators'>) {
  const { limit = default_page_size, cursor, sort } = query;
  const { tenant, member, cursors } = context;
  const filters = list.filtersOf(query);
  const keys = list.sortKeys(sort);
  const binding = ['listCollaborators', tenant.company_id, member.collaborator_id, filters, sort ?? null];
  const position = cursor === undefined ? undefined : cursors.open(cursor, binding);
  const rows = await list
    .ordered(list.matchingCollaborators(tenant, member, filters, await manyMatch(filters, context)), keys)
    .$if(position !== undefined, (some) => some.where(list.after(keys, position!)))
    .select(collaboratorColumns)
    .select(list.positionColumn(keys).as('list_position'))
    .limit(limit + 1)
    .execute();
  const page = keysetPage(rows, limit, (row) => cursors.seal(row.list_position, binding));
  return { data: page.rows.map((row) => listedView(row, context)), pagination: page.pagination };
}
