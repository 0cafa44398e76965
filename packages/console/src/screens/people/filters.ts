/** People filters and sort order in the URL. Empty filters are omitted. */
import { oneLine } from '../../../../../src/contract/texts/one-line.ts';
import type { ColleagueFilters, CustomConditions, PeopleFilters, Person } from '../../api/people.ts';

export const statuses: readonly Person['status'][] = ['active', 'pending', 'inactive'];
export const roles: readonly Person['role'][] = ['admin', 'manager', 'employee'];

export function readPeopleFilters(search: Record<string, unknown>): PeopleFilters {
  const { status, role, sort, ...others } = search;
  const text = (name: string) => {
    const value = others[name];
    return (typeof value === 'string' || typeof value === 'number') && oneLine(String(value))
      ? { [name]: String(value) }
      : {};
  };
  return {
    ...text('search'),
    ...text('department'),
    ...text('location'),
    ...(statuses.includes(status as Person['status']) && { status: status as Person['status'] }),
    ...(roles.includes(role as Person['role']) && { role: role as Person['role'] }),
    ...customConditions(others.custom_fields),
    ...(typeof sort === 'string' && sorts.test(sort) && { sort }),
  };
}

/** Of the list of people in the address: columns in their order, as of a saved view; without them, those that the reader has chosen. */
export type ListSearch = PeopleFilters & { columns?: string };

export function readListSearch(search: Record<string, unknown>): ListSearch {
  const { columns } = search;
  return { ...readPeopleFilters(search), ...(typeof columns === 'string' && columnLists.test(columns) && { columns }) };
}

/** Possibly empty: the name is always shown. */
const columnLists = /^([a-z][a-z0-9_.]{0,53}(,[a-z][a-z0-9_.]{0,53}){0,59})?$/;

const sorts = /^-?(name|email|department|position|hire_date|status|custom_fields\.[a-z][a-z0-9_]{0,39})$/;

function customConditions(input: unknown): Pick<PeopleFilters, 'custom_fields'> {
  if (typeof input !== 'object' || input === null) return {};
  const conditions: CustomConditions = {};
  for (const [key, condition] of Object.entries(input)) {
    const { gte, lte } = (typeof condition === 'object' ? (condition ?? {}) : {}) as Record<string, unknown>;
    const range = { ...(isValue(gte) && { gte: String(gte) }), ...(isValue(lte) && { lte: String(lte) }) };
    if (!/^[a-z][a-z0-9_]{0,39}$/.test(key)) continue;
    if (isValue(condition)) conditions[key] = String(condition);
    else if (Object.keys(range).length > 0) conditions[key] = range;
  }
  return Object.keys(conditions).length > 0 ? { custom_fields: conditions } : {};
}

/** The router may have parsed a string as a number or boolean. */
function isValue(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && value !== '';
}

export function readColleagueFilters(search: Record<string, unknown>): ColleagueFilters {
  const { search: text, department, location } = readPeopleFilters(search);
  return { ...(text && { search: text }), ...(department && { department }), ...(location && { location }) };
}

export function readDeletedFilters({ search }: Record<string, unknown>): Pick<PeopleFilters, 'search'> {
  const isText = typeof search === 'string' || typeof search === 'number';
  return isText && oneLine(String(search)) ? { search: String(search) } : {};
}

export function readOrgView({ view }: Record<string, unknown>): { view?: 'chart' | 'list' } {
  return view === 'chart' || view === 'list' ? { view } : {};
}
