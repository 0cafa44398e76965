/**
 * Converts filters (RFC 7644, section 3.4.2.2) to SQL conditions. Only attributes listed here are allowed: a client never names a
 * column.
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Compare, type Filter, parse, type Suffix } from 'scim2-parse-filter';
import { isId as isUuid } from '../access/records.ts';
import { schemas } from './attributes.ts';
import { ScimProblem } from './scim-problem.ts';

type Kind = 'text' | 'exact' | 'boolean' | 'time';

interface FilterableAttribute {
  kind: Kind;
  column: RawBuilder<unknown>;
  /** The condition for an id, by an index. */
  isId?(id: string): RawBuilder<SqlBool>;
}

export type FilterableAttributes = Record<string, FilterableAttribute>;

export interface Filterable {
  attributes: FilterableAttributes;
  lists: Record<string, RawBuilder<unknown>>;
  /** Whether a list has a member with this id, by an index. */
  has?: Record<string, (id: string) => RawBuilder<SqlBool>>;
}

const maxCharacters = 2_000;
const maxConditions = 50;
const coreUrn = new RegExp(`^(?:${schemas.user}|${schemas.group}):`, 'i');

/** @throws 400 `invalidFilter` */
export function conditionOf(text: string, filterable: Filterable): Expression<SqlBool> {
  if (text.length > maxCharacters) throw invalid(`A filter can have at most ${maxCharacters} characters.`);
  let filter: Filter;
  try {
    filter = parse(text);
  } catch (error) {
    throw invalid(`The filter is not valid under RFC 7644: ${(error as Error).message}`.slice(0, 200));
  }
  if (JSON.stringify(filter).split('"op"').length > maxConditions) throw invalid('The filter has too many conditions.');
  return condition(filter, filterable);
}

function condition(filter: Filter, filterable: Filterable): RawBuilder<SqlBool> {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((each) => condition(each, filterable));
      return sql`(${sql.join(parts, filter.op === 'and' ? sql` and ` : sql` or `)})`;
    }
    case 'not':
      return sql`(not ${condition(filter.filter, filterable)})`;
    case '[]': {
      const name = nameOf(filter.attrPath);
      const list = Object.hasOwn(filterable.lists, name) ? filterable.lists[name] : undefined;
      if (!list) throw invalid(`${filter.attrPath} is not a list that can be filtered.`);
      return someOf(list, (attributes) => condition(filter.valFilter, { attributes, lists: {} }));
    }
    default:
      return leaf(filter, filterable);
  }
}

function leaf(filter: Compare | Suffix, { attributes, lists, has = {} }: Filterable): RawBuilder<SqlBool> {
  const name = nameOf(filter.attrPath);
  const attribute = attributes[name];
  if (attribute && Object.hasOwn(attributes, name)) return compared(filter, attribute);
  const [list = '', member = 'value', ...more] = name.split('.');
  if (!Object.hasOwn(lists, list) || more.length > 0)
    throw invalid(`Filtering by ${filter.attrPath} is not supported.`);
  const isOf = Object.hasOwn(has, list) && member === 'value' ? has[list] : undefined;
  if (isOf && filter.op === 'eq' && isUuid(String(filter.compValue))) return isOf(String(filter.compValue));
  if (filter.op === 'pr' && !name.includes('.')) return someOf(lists[list]!, () => sql`true`);
  return someOf(lists[list]!, (inner) => {
    if (!Object.hasOwn(inner, member)) throw invalid(`Filtering by ${filter.attrPath} is not supported.`);
    return compared(filter, inner[member]!);
  });
}

function someOf(
  list: RawBuilder<unknown>,
  inner: (attributes: FilterableAttributes) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  return sql`exists (select from jsonb_array_elements(${list}) as item (value) where ${inner(members)})`;
}

const members: FilterableAttributes = {
  value: { kind: 'text', column: sql`(item.value ->> 'value')` },
  type: { kind: 'text', column: sql`(item.value ->> 'type')` },
  display: { kind: 'text', column: sql`(item.value ->> 'display')` },
  primary: { kind: 'boolean', column: sql`(item.value ->> 'primary')::boolean` },
  formatted: { kind: 'text', column: sql`(item.value ->> 'formatted')` },
  locality: { kind: 'text', column: sql`(item.value ->> 'locality')` },
  country: { kind: 'text', column: sql`(item.value ->> 'country')` },
};

function nameOf(path: string): string {
  return path.replace(coreUrn, '').toLowerCase();
}

function compared(filter: Compare | Suffix, { kind, column, isId }: FilterableAttribute): RawBuilder<SqlBool> {
  if (filter.op === 'pr')
    return kind === 'text' || kind === 'exact' ? sql`coalesce(${column} <> '', false)` : sql`(${column} is not null)`;
  const { op, compValue } = filter;
  if (compValue === null) {
    if (op === 'eq') return sql`(${column} is null)`;
    if (op === 'ne') return sql`(${column} is not null)`;
    throw invalid(`${op} can't compare with null.`);
  }
  if (kind === 'boolean') return comparedBoolean(op, column, compValue);
  if (kind === 'time') return comparedTime(op, column, compValue);
  const value = kind === 'exact' ? String(compValue) : String(compValue).toLowerCase();
  if (value.includes('\0')) throw invalid("A filter can't have a NUL character.");
  const form = kind === 'exact' ? column : sql`lower(${column})`;
  if (isId && op === 'eq') return isUuid(value) ? isId(value) : sql`false`;
  return comparedText(op, column, form, value);
}

function comparedText(
  op: Compare['op'],
  column: RawBuilder<unknown>,
  form: RawBuilder<unknown>,
  value: string,
): RawBuilder<SqlBool> {
  switch (op) {
    case 'eq':
      return sql`(${column} is not null and ${form} = ${value})`; // which finds the indexes
    case 'ne':
      return sql`coalesce(${form} <> ${value}, true)`;
    case 'co':
      return sql`coalesce(strpos(${form}, ${value}) > 0, false)`;
    case 'sw':
      return sql`coalesce(left(${form}, ${[...value].length}) = ${value}, false)`;
    case 'ew':
      return sql`coalesce(right(${form}, ${[...value].length}) = ${value}, false)`;
    default:
      return sql`coalesce(${form} collate "C" ${symbols[op]} ${value}, false)`;
  }
}

const symbols = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` };

function comparedBoolean(op: Compare['op'], column: RawBuilder<unknown>, value: unknown): RawBuilder<SqlBool> {
  const expected = typeof value === 'string' ? value.toLowerCase() === 'true' : value === true;
  if (op === 'eq') return sql`coalesce(${column} = ${expected}, false)`;
  if (op === 'ne') return sql`coalesce(${column} <> ${expected}, true)`;
  throw invalid(`${op} can't compare booleans.`);
}

function comparedTime(op: Compare['op'], column: RawBuilder<unknown>, value: unknown): RawBuilder<SqlBool> {
  const time = new Date(String(value));
  const year = time.getUTCFullYear();
  // Postgres has no year 0, and other years have another form.
  if (!(year > 0 && year < 10_000)) throw invalid('A time must look like 2026-04-20T15:31:26Z.');
  const symbol = op === 'eq' ? sql`=` : op === 'ne' ? sql`<>` : op in symbols ? symbols[op as 'gt'] : undefined;
  if (!symbol) throw invalid(`${op} can't compare times.`);
  return sql`(${column} ${symbol} ${time.toISOString()}::timestamptz)`;
}

function invalid(detail: string): ScimProblem {
  return new ScimProblem(400, 'invalidFilter', detail);
}
