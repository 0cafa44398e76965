/** How a list of people is filtered and sorted, as the address has it. What is none is left out. */
import { oneLine } from '../../../../../src/contract/texts/one-line.ts';
import type { PeopleFilters, Person } from '../../api/people.ts';

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
    ...(typeof sort === 'string' && /^-?(name|email|department|position|hire_date|status)$/.test(sort) && { sort }),
  };
}

export function readDeletedFilters({ search }: Record<string, unknown>): Pick<PeopleFilters, 'search'> {
  const isText = typeof search === 'string' || typeof search === 'number';
  return isText && oneLine(String(search)) ? { search: String(search) } : {};
}

export function readOrgView({ view }: Record<string, unknown>): { view?: 'chart' | 'list' } {
  return view === 'chart' || view === 'list' ? { view } : {};
}
