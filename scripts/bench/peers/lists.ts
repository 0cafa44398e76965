// List statements that use the indexes, as in the service. PLAIN_LISTS=true uses plain OFFSET pagination instead.
import type { Caller } from './caller.ts';
import { columns } from './statements.ts';

export type Query = Record<string, string | number | undefined>;

/** Statements with their parameters; the first parameter is the company. */
interface ListStatements {
  rows: [text: string, values: unknown[]];
  /** Undefined if the company's counts have the total, or each row does. */
  total: [text: string, values: unknown[]] | undefined;
}

const team = (self: string) => `id in (
  with recursive team as (
    select id from collaborators where company_id = $1 and id = ${self}
    union
    select below.id from collaborators below join team on below.manager_id = team.id
    where below.company_id = $1 and below.deleted_at is null
  )
  select id from team)`;

const text = (column: string) => `(left(search_form(${column}), 200) collate "C")`;
const orders: Record<string, string> = {
  name: text('name'),
  email: text('email'),
  department: text('department'),
  hire_date: "coalesce(hire_date, 'infinity'::date)",
  created_at: 'created_at',
  updated_at: 'updated_at',
};

export function listStatements(companyId: unknown, caller: Caller, query: Query): ListStatements {
  const values: unknown[] = [companyId];
  const add = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['company_id = $1', 'deleted_at is null'];
  if (caller.role !== 'admin') conditions.push(team(add(caller.id)));
  if (query.status) conditions.push(`status = ${add(query.status)}`);
  for (const column of ['department', 'location'] as const) {
    if (query[column]) conditions.push(`lower(${column}) = lower(${add(query[column])})`);
  }
  if (query.search) conditions.push(...found(add(query.search)));
  const where = conditions.join(' and ');
  const order = ordered(String(query.sort ?? 'created_at'));
  const { page = 1, per_page: perPage = 20 } = query;
  const counted = [...values];
  const slice = `limit ${add(Number(perPage))} offset ${add((Number(page) - 1) * Number(perPage))}`;
  const ofCompany = conditions.length === 2 || (conditions.length === 3 && query.status && caller.role === 'admin');
  if (query.search) return { rows: [searched(where, order, slice), values], total: undefined };
  const isPlain = process.env.PLAIN_LISTS === 'true' || Number(page) === 1;
  const rows = isPlain
    ? `select ${columns} from collaborators where ${where} order by ${order.by.join(', ')} ${slice}`
    : walked(where, order, slice);
  const total = `select count(*)::int as total from collaborators where ${where}`;
  return { rows: [rows, values], total: ofCompany ? undefined : [total, counted] };
}

/** Walks the ids in index order, and reads the other columns only for the page. */
function walked(where: string, { by }: ReturnType<typeof ordered>, slice: string): string {
  return `select ${columns} from collaborators where company_id = $1 and id = any(array(
      select id from collaborators where ${where} order by ${by.join(', ')} ${slice}
    )) order by ${by.join(', ')}`;
}

/** Finds, counts, and sorts ids, and reads the other columns only for the page. */
function searched(where: string, { by, expression, direction }: ReturnType<typeof ordered>, slice: string): string {
  return `select ${columns}, total from collaborators join (
      select found_id, count(*) over () as total
      from (select id as found_id, ${expression} as place from collaborators where ${where}) found
      order by place ${direction}, found_id ${direction} ${slice}
    ) page on id = found_id
    where company_id = $1 order by ${by.join(', ')}`;
}

/** The indexed condition, then the exact one. */
function found(term: string): string[] {
  const keys = `search_term_keys($1, search_form(${term}))`;
  return [
    `search_text like (select '%' || regexp_replace(search_form(${term}), '([\\\\%_])', '\\\\\\1', 'g') || '%')`,
    `search_keys(company_id, search_text) @> ${keys}`,
    `search_keys(company_id, search_text) @> (${keys})[1:1]`,
    `search_keys(company_id, search_text) @> (${keys})[1:1]`,
  ];
}

function ordered(sort: string) {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const expression = orders[sort.replace('-', '')]!;
  return { expression, direction, by: [`${expression} ${direction}`, `id ${direction}`] };
}
