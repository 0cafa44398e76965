import { readFileSync } from 'node:fs';
import type { PeopleFilters } from '../src/api/people.ts';
import type { SavedView } from '../src/api/saved-views.ts';
import { fromView, isShown, toView } from '../src/screens/people/views/view-filters.ts';

const contract = JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));

const filters: PeopleFilters = {
  search: 'driver',
  status: 'active',
  role: 'employee',
  department: 'Fleet',
  location: 'Porto',
  custom_fields: { shirt: 'm', badge_until: { gte: '2026-01-01' } },
  sort: '-custom_fields.shirt',
};
const view = (of: PeopleFilters) => ({ name: 'Drivers', ...toView(of) }) as SavedView;

test('converting to a view and back preserves the filters', () => {
  expect(fromView(view(filters))).toEqual(filters);
  expect(fromView(view({}))).toEqual({});
  expect(toView({})).toEqual({ filters: {}, sort: null });
});

test('the list and saved views have the same filters', () => {
  const { properties } = contract.components.schemas.SavedViewFiltersInput;
  expect([...Object.keys(properties), 'sort'].sort()).toEqual(Object.keys(filters).sort());
});

test('recognizes the current view, whatever the order of its conditions', () => {
  const turned = { ...filters, custom_fields: { badge_until: { gte: '2026-01-01' }, shirt: 'm' } };
  expect(isShown(view(filters), turned)).toBe(true);
  expect(isShown(view(filters), { ...filters, department: 'Office' })).toBe(false);
  expect(isShown(view(filters), {})).toBe(false);
});
