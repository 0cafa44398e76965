/** Converts between the list in the URL and a saved view, which has custom fields and columns as lists. */
import type { PeopleFilters } from '../../api/people.ts';
import type { NewSavedView, SavedView } from '../../api/saved-views.ts';
import { type ListSearch, readListSearch, readPeopleFilters } from './filters.ts';

/** @param columns in their order */
export function toView(
  { sort, custom_fields: custom, ...filters }: PeopleFilters,
  columns: readonly string[],
): Omit<NewSavedView, 'name'> & { list: 'collaborators' } {
  const conditions = Object.entries(custom ?? {}).map(([key, condition]) =>
    typeof condition === 'string' ? { key, value: condition } : { key, ...condition },
  );
  return {
    list: 'collaborators',
    filters: { ...filters, ...(conditions.length > 0 && { custom_fields: conditions }) },
    sort: sort ?? null,
    columns: [...columns],
  };
}

export function fromView({
  filters: { custom_fields: conditions = [], ...filters },
  sort,
  columns,
}: SavedView): ListSearch {
  const custom = conditions.map(({ key, value, ...range }) => [key, value ?? range] as const);
  return readListSearch({
    ...filters,
    custom_fields: Object.fromEntries(custom),
    sort: sort ?? undefined,
    columns: columns?.join(','),
  });
}

/**
 * Whether the list has the filters of the view, in any order of conditions, and its columns.
 * @param columns shown now; a view without columns fits any
 */
export function isActiveView(view: SavedView, filters: PeopleFilters, columns: readonly string[]): boolean {
  const text = (of: PeopleFilters) => {
    const { custom_fields: custom = {}, ...others } = readPeopleFilters({ ...of });
    return JSON.stringify([others, Object.entries(custom).sort(([a], [b]) => (a < b ? -1 : 1))]);
  };
  return text(fromView(view)) === text(filters) && (view.columns?.join() ?? columns.join()) === columns.join();
}
