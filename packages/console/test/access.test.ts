/** Compares the console's forms and filters of apps, connections, and the company with the contract. */
import { readFileSync } from 'node:fs';
import { scopeNames } from '../src/parts/names.ts';
import { changeOf, consequencesOf, fieldsOf } from '../src/screens/apps/app-fields.ts';
import {
  type CompanyFields,
  changeOf as companyChange,
  consequencesOf as companyConsequences,
} from '../src/screens/company/company-fields.ts';
import { readConnectionFilters } from '../src/screens/connections/filters.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const contract = read('../../../generated/openapi.json');
const { schemas, securitySchemes } = contract.components;

const app = schemas.App;
const example = {
  ...Object.fromEntries(Object.entries(app.properties).map(([name]) => [name, null])),
  name: 'Shift planner',
  kind: 'confidential',
  redirect_uris: ['https://planner.example/callback'],
  scopes: ['profile', 'collaborators:read'],
  visibility: 'everyone',
  approved_at: '2026-01-01T00:00:00.000Z',
} as unknown as Parameters<typeof fieldsOf>[0];
const company: CompanyFields = {
  name: 'Verde',
  time_zone: 'America/Sao_Paulo',
  locale: 'pt-BR',
  require_second_factor: false,
  step_up: false,
  session_max_age: '',
  allowed_scopes: null,
  assistants: 'read',
  directory_visibility: 'none',
};

test('every scope has a description, and no other', async () => {
  const { scopes } = securitySchemes.oauth2.flows.authorizationCode;
  const known = readFileSync(new URL('../src/parts/fields/scopes.tsx', import.meta.url), 'utf8').match(
    /^ {2}'[a-z_:]+'(?=,$)/gm,
  )!;
  const rights = Object.keys(scopes).filter((scope) => !['openid', 'email'].includes(scope));
  expect(known.map((each) => each.trim().slice(1, -1)).sort()).toEqual(rights.sort());
  expect(Object.keys(scopeNames()).sort()).toEqual(rights);
});

test('the app form has every writable field', () => {
  const ofPrograms = ['jwks']; // only programs create keys, so the form has no input for them
  const changeable = Object.entries(schemas.AppUpdate.properties as Record<string, { readOnly?: boolean }>)
    .filter(([, { readOnly }]) => !readOnly)
    .map(([name]) => name)
    .filter((name) => !ofPrograms.includes(name));
  const { kind: _, ...fields } = fieldsOf(example);
  expect(Object.keys(fields).sort()).toEqual(changeable.sort());
});

test('sends only changed fields of an app, and lists the effects on users', () => {
  const from = fieldsOf(example);
  expect(changeOf(from, { ...from, redirect_uris: [...from.redirect_uris, { uri: ' ' }] })).toEqual({});
  const described = changeOf(from, { ...from, description: 'Plans' });
  expect(described).toEqual({ description: 'Plans' });
  expect(consequencesOf(example, described)).toEqual([]);
  expect(consequencesOf(example, changeOf(from, { ...from, name: 'Shifts' }))).toEqual(['approval']);
  const less = changeOf(from, { ...from, scopes: ['profile'], redirect_uris: [{ uri: 'https://other.example' }] });
  expect(consequencesOf({ ...example, approved_at: null }, less)).toEqual(['scopes', 'redirects']);
  const all = changeOf(from, { ...from, scopes: null });
  expect(consequencesOf({ ...example, approved_at: null }, all)).toEqual([]);
});

test('the company form has every writable field and policy', () => {
  const changeable = (properties: Record<string, { readOnly?: boolean }>) =>
    Object.keys(properties).filter((name) => !properties[name]!.readOnly && name !== 'policy');
  const all = [...changeable(schemas.CompanyUpdate.properties), ...changeable(schemas.CompanyPolicyUpdate.properties)];
  expect(Object.keys(company).sort()).toEqual(all.sort());
});

test('sends only changed fields of a company, and lists the effects on users', () => {
  const changed = (fields: Partial<CompanyFields>, from = company) => {
    const change = companyChange(from, { ...from, ...fields });
    return [change, companyConsequences(from, change)];
  };
  expect(changed({})).toEqual([{}, []]);
  expect(changed({ name: ' Verde ', locale: '' })).toEqual([{ name: 'Verde', locale: null }, []]);
  expect(changed({ time_zone: 'UTC' })).toEqual([{ time_zone: 'UTC' }, ['time_zone']]);
  expect(changed({ require_second_factor: true, session_max_age: '28800' })).toEqual([
    { policy: { require_second_factor: true, session_max_age: 28_800 } },
    ['factor-on', 'age-shorter'],
  ]);
  expect(changed({ directory_visibility: 'basic' })).toEqual([
    { policy: { directory_visibility: 'basic' } },
    ['directory-on'],
  ]);
  const strict = { ...company, step_up: true, session_max_age: '3600', allowed_scopes: ['profile'] };
  expect(changed({ step_up: false, session_max_age: '', allowed_scopes: null }, strict)[1]).toEqual([
    'step-up-off',
    'age-longer',
    'scopes-more',
  ]);
  expect(changed({ allowed_scopes: [] }, strict)[1]).toEqual(['scopes-fewer']);
});

test('connection filters match the contract', () => {
  const { parameters } = contract.paths['/v1/connections'].get;
  const known = contract.components.parameters as Record<string, { name: string; in: string }>;
  const declaredParameters = (parameters as { $ref: string }[]).map(({ $ref }) => known[$ref.split('/').at(-1)!]!);
  const names = declaredParameters.filter((each) => each.in === 'query').map(({ name }) => name);
  expect(names.sort()).toEqual(['client_id', 'cursor', 'kind', 'limit', 'needs_confirmation', 'user_id']);
  const search = { client_id: 'a', kind: 'installation', user_id: 'b', needs_confirmation: true };
  expect(readConnectionFilters({ ...search, other: 1 })).toEqual(search);
  expect(readConnectionFilters({ client_id: '', kind: 'other', user_id: 7 })).toEqual({});
});
