import { readFileSync } from 'node:fs';
import type { AuditFilters } from '../src/api/audit-filters.ts';
import type { PeopleFilters } from '../src/api/people.ts';
import type { SavedView } from '../src/api/saved-views.ts';
import * as auditLog from '../src/screens/audit/view-filters.ts';
import { plainColumns } from '../src/screens/people/plain-columns.ts';
import { fromView, isActiveView, toView } from '../src/screens/people/view-filters.ts';

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
const columns = ['hire_date', 'custom_fields.shirt', 'position'];
const view = (of: PeopleFilters) => ({ name: 'Drivers', ...toView(of, columns) }) as SavedView;

test('converting to a view and back preserves the filters, and columns in their order', () => {
  const address = { columns: 'hire_date,custom_fields.shirt,position' };
  expect(fromView(view(filters))).toEqual({ ...filters, ...address });
  expect(fromView(view({}))).toEqual(address);
  expect(fromView({ ...view({}), columns: null })).toEqual({});
  expect(toView({}, [])).toEqual({ list: 'collaborators', filters: {}, sort: null, columns: [] });
  expect(fromView({ ...view({}), columns: [] })).toEqual({ columns: '' });
});

const audit: AuditFilters = {
  actor_collaborator_id: 'b',
  actor_id: 'a',
  target_id: 'c',
  action: 'updateCollaborator',
  changed_field: 'salary',
  outcome: 'refused',
  since: '2026-01-01T00:00:00.000Z',
  until: '2026-12-31T00:00:00.000Z',
};
const auditView = (of: AuditFilters) => ({ name: 'Salaries', ...auditLog.toView(of) }) as SavedView;

test.each<AuditFilters>([
  {},
  audit,
  { show: 'reads' },
  { show: 'reads,sign_ins' },
  { target_id: 'c', show: 'sign_ins' },
])('converting audit filters %j to a view and back preserves them', (of) => {
  expect(auditLog.fromView(auditView(of))).toEqual(of);
  expect(auditLog.isActiveView(auditView(of), of)).toBe(true);
  expect(auditLog.isActiveView(auditView(of), { outcome: 'succeeded' })).toBe(false);
});

test('the lists and saved views have the same filters', () => {
  const { properties } = contract.components.schemas.SavedViewFiltersInput;
  const all = [...Object.keys(filters), ...Object.keys(audit), 'exclude'];
  expect([...Object.keys(properties), 'sort'].sort()).toEqual(all.sort());
});

test('a view takes every column that the list can show', () => {
  const { pattern } = contract.components.schemas.SavedViewCreate.properties.columns.items;
  for (const column of [...plainColumns, 'custom_fields.shirt']) expect(column).toMatch(new RegExp(pattern, 'u'));
});

test('recognizes the current view, whatever the order of its conditions', () => {
  const reordered = { ...filters, custom_fields: { badge_until: { gte: '2026-01-01' }, shirt: 'm' } };
  expect(isActiveView(view(filters), reordered, columns)).toBe(true);
  expect(isActiveView(view(filters), { ...filters, department: 'Office' }, columns)).toBe(false);
  expect(isActiveView(view(filters), {}, columns)).toBe(false);
  expect(isActiveView(view(filters), filters, columns.toReversed())).toBe(false);
  expect(isActiveView({ ...view(filters), columns: null }, filters, ['status'])).toBe(true);
});
