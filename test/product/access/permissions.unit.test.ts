import { canUseField, canWriteField, fieldRules, reaches, scopeOf } from '../../../src/product/access/permissions.ts';

const employee = { role: 'employee', collaborator_id: 'own' } as Parameters<typeof reaches>[1];
const manager = { ...employee, role: 'manager' } as typeof employee;
const admin = { ...employee, role: 'admin' } as typeof employee;
const installation = { ...manager, collaborator_id: undefined, isInstallation: true } as unknown as typeof employee;
const access = { admin: 'all', manager: 'team', employee: 'self' } as const;

test.each([
  [admin, undefined, true],
  [admin, 'other', true],
  [manager, undefined, false],
  [manager, 'other', true],
  [employee, undefined, false],
  [employee, 'other', false],
  [employee, 'own', true],
])('%j reaches the record %s: %s', (member, recordId, expected) => {
  expect(reaches(access, member, recordId)).toBe(expected);
});

test('the team of an installation is the whole company', () => {
  expect(scopeOf(access, manager)).toBe('team');
  expect(scopeOf(access, installation)).toBe('all');
  expect(scopeOf({ ...access, manager: 'none' }, installation)).toBe('none');
});

test('a record that doesn’t exist yet belongs to nobody, including installations, which have no record', () => {
  const self = { admin: 'none', manager: 'self', employee: 'self' } as const;
  expect(reaches(self, installation, undefined)).toBe(false);
  expect(reaches(self, manager, undefined)).toBe(false);
  expect(reaches(self, manager, 'own')).toBe(true);
});

test('without a recent sign-in, a step-up field is readable on one’s own record only', () => {
  const rule = { ...access, step_up: true };
  const caller = { scopes: [], lacks: 'recent_sign_in' } as unknown as Parameters<typeof canUseField>[1];
  expect(canUseField(rule, caller, employee, 'own')).toBe(true);
  expect(canUseField(rule, caller, manager, 'other')).toBe(false);
  expect(canUseField({ ...rule, manager: 'all' }, caller, installation, undefined)).toBe(false);
  expect(canWriteField(rule, caller, employee, 'own')).toBe(false);
});

test('a field with scopes requires all of them', () => {
  const rule = { ...access, scopes: ['salary:read', 'salary:write'] };
  const caller = (scopes: string[]) => ({ scopes }) as unknown as Parameters<typeof canUseField>[1];
  expect(canUseField(rule, caller(['salary:read']), admin, 'other')).toBe(false);
  expect(canUseField(rule, caller(['salary:read', 'salary:write']), admin, 'other')).toBe(true);
});

test('managers can change on their own record what employees can', () => {
  const caller = { scopes: [] } as unknown as Parameters<typeof canUseField>[1];
  const rule = { admin: 'all', manager: 'team', employee: 'none' } as const;
  expect(canWriteField(rule, caller, manager, 'own')).toBe(false);
  expect(canWriteField(rule, caller, manager, 'other')).toBe(true);
});

test('field rules include those of the parts of a schema', () => {
  const rule = { admin: 'all', manager: 'none', employee: 'none' } as const;
  const part = { properties: { salary: { type: 'number', 'x-read-access': rule }, name: { type: 'string' } } };
  expect([...fieldRules({ allOf: [part], properties: {} } as never, 'x-read-access')]).toEqual([['salary', rule]]);
});
