/** Converts between filters in the URL and in a saved view. Only custom fields differ: a view has them as a list. */
import type { PeopleFilters } from '../../../api/people.ts';
import type { NewSavedView, SavedView } from '../../../api/saved-views.ts';
import { readPeopleFilters } from '../filters.ts';

export function toView({ sort, custom_fields: custom, ...filters }: PeopleFilters): Omit<NewSavedView, 'name'> {
  const conditions = Object.entries(custom ?? {}).map(([key, wanted]) =>
    typeof wanted === 'string' ? { key, value: wanted } : { key, ...wanted },
  );
  return { filters: { ...filters, ...(conditions.length > 0 && { custom_fields: conditions }) }, sort: sort ?? null };
}

export function fromView({ filters: { custom_fields: conditions = [], ...filters }, sort }: SavedView): PeopleFilters {
  const custom = conditions.map(({ key, value, ...range }) => [key, value ?? range] as const);
  return readPeopleFilters({ ...filters, custom_fields: Object.fromEntries(custom), sort: sort ?? undefined });
}

/** Whether the list has the filters of the view, in any order of conditions. */
export function isShown(view: SavedView, filters: PeopleFilters): boolean {
  const text = (of: PeopleFilters) => {
    const { custom_fields: custom = {}, ...others } = readPeopleFilters({ ...of });
    return JSON.stringify([others, Object.entries(custom).sort(([a], [b]) => (a < b ? -1 : 1))]);
  };
  return text(fromView(view)) === text(filters);
}
