/** Custom field values in operations on people. */
import type { components } from '../../../generated/api.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { clearFields, defineField, fieldsPath, oneOfEach, valueOfEach } from '../../helpers/resources/custom-fields.ts';

let app: TestApp;
let serial = 0;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => clearFields(app));

const path = '/v1/collaborators';
const person = (more: object = {}) => {
  serial += 1;
  return { name: 'Ana Lima', email: `ana${serial}@verde.example`, position: 'Driver', department: 'Fleet', ...more };
};
const add = (values?: object) => app.admin.post(path, person(values && { custom_fields: values }));
const codes = (details: Record<string, { code: string }[]>) =>
  Object.fromEntries(Object.entries(details).map(([field, errors]) => [field, errors.map(({ code }) => code).join()]));

test('stores, updates by key, and clears a value of each type', async () => {
  for (const field of oneOfEach) await defineField(app.admin, field);
  const { body } = await add(valueOfEach).expect(201);
  expect(body.custom_fields).toEqual(valueOfEach);
  const one = `${path}/${body.id}`;
  expect((await app.admin.get(one).expect(200)).body.custom_fields).toEqual(valueOfEach);
  const change = { a_number: 0, a_choice: null, a_multi_choice: ['l', 's'] };
  const changed = await app.admin.patch(one, { custom_fields: change }).expect(200);
  expect(changed.body.custom_fields).toEqual({ ...valueOfEach, a_number: 0, a_choice: null });
  const listed = await app.admin.get(`${path}?email=${body.email}`).expect(200);
  expect(listed.body.data[0].custom_fields).toEqual(changed.body.custom_fields);
  const nothing = Object.fromEntries(Object.keys(valueOfEach).map((key) => [key, null]));
  expect((await app.admin.put(one, { custom_fields: nothing }).expect(200)).body.custom_fields).toEqual(nothing);
  expect((await add().expect(201)).body.custom_fields).toEqual(nothing);
});

const rejected = [
  ['a_text', 'two\nlines', 'invalid_format'],
  ['a_text', 'x'.repeat(4_097), 'too_long'],
  ['a_text', '😀'.repeat(1_100), 'too_long'],
  ['a_text', 3, 'invalid_type'],
  ['a_text', { toString: 'x' }, 'invalid_type'],
  ['a_long_text', 'hidden \u202e direction', 'invalid_format'],
  ['a_number', '3', 'invalid_type'],
  ['a_number', 1e15, 'out_of_range'],
  ['a_number', 0.0000001, 'out_of_range'],
  ['a_boolean', 'true', 'invalid_type'],
  ['a_date', '2026-02-30', 'invalid_format'],
  ['a_date', '28/02/2026', 'invalid_format'],
  ['a_choice', 'xl', 'not_in_enum'],
  ['a_choice', ['s'], 'invalid_type'],
  ['a_multi_choice', 's', 'invalid_type'],
  ['a_multi_choice', ['s', 'xl'], 'not_in_enum'],
  ['a_multi_choice', ['s', 's'], 'invalid_format'],
  ['a_email', 'ana', 'invalid_format'],
  ['a_url', 'javascript:alert(1)', 'invalid_format'],
  ['a_url', 'https://ana:secret@company.example/', 'invalid_format'],
  ['a_phone', '1'.repeat(101), 'too_long'],
  ['nothing', 'x', 'field_not_allowed'],
  ['constructor', 'x', 'field_not_allowed'],
  ['__proto__', 'x', 'field_not_allowed'],
];

test('rejects values of another type, format, or length, and unknown fields', async () => {
  for (const field of oneOfEach) await defineField(app.admin, field);
  const found: unknown[] = [];
  for (const [key, value] of rejected) {
    const sent = JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(value)}}`);
    const { body } = await add(sent).expect(400);
    found.push([key, value, codes(body.details)]);
  }
  expect(found).toEqual(rejected.map(([key, value, code]) => [key, value, { [`custom_fields.${key}`]: code }]));
});

test('an unknown field names a similar one, if the caller may write it', async () => {
  await defineField(app.admin, { key: 'shirt_size', type: 'text', read: 'employee', write: 'employee' });
  await defineField(app.admin, { key: 'pay_grade', type: 'text', sensitive: true });
  const sent = { custom_fields: { shirtSize: 'm', payGrade: 'G1' } };
  const messageOf = ({ details }: { details: Record<string, { message: string }[]> }) =>
    ['shirtSize', 'payGrade'].map((key) => details[`custom_fields.${key}`]![0]!.message);
  const unknown = 'No field of this name is known here.';
  const { body } = await app.admin.post(path, person(sent)).expect(400);
  expect(messageOf(body)).toEqual([`${unknown} Did you mean shirt_size?`, `${unknown} Did you mean pay_grade?`]);
  const own = await app.employee.patch(`${path}/${app.employee.collaborator_id}`, sent).expect(400);
  expect(messageOf(own.body)).toEqual([`${unknown} Did you mean shirt_size?`, unknown]);
});

test('reports all errors together with those of other fields', async () => {
  await defineField(app.admin, { key: 'size', type: 'number', required: true });
  const { body } = await app.admin.post(path, { ...person(), name: 'x', custom_fields: { other: 1 } }).expect(400);
  expect(codes(body.details)).toEqual({ name: 'too_short' });
  const both = await app.admin.post(path, { ...person(), manager_id: 'x', custom_fields: { other: 1 } }).expect(400);
  expect(codes(both.body.details)).toEqual({
    manager_id: 'not_found',
    'custom_fields.other': 'field_not_allowed',
    'custom_fields.size': 'required',
  });
});

test('counts characters as other fields do, not UTF-16 units', async () => {
  await defineField(app.admin, { key: 'motto', type: 'text', unique: true });
  await add({ motto: '😀'.repeat(200) }).expect(201);
  const { body } = await add({ motto: '😀'.repeat(201) }).expect(400);
  expect(codes(body.details)).toEqual({ 'custom_fields.motto': 'too_long' });
});

test('limits values to 32 KB per person', async () => {
  for (const at of Array.from({ length: 9 }, (_, at) => at))
    await defineField(app.admin, { key: `t${at}`, type: 'text' });
  const value = 'x'.repeat(4_000);
  const eight = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`t${at}`, value]));
  const { body } = await add(eight).expect(201);
  const refused = await app.admin.patch(`${path}/${body.id}`, { custom_fields: { t8: value } }).expect(400);
  expect(codes(refused.body.details)).toEqual({ custom_fields: 'too_long' });
});

test('required fields apply to new people and can’t be cleared, and existing people may lack them', async () => {
  const { body } = await add().expect(201);
  await defineField(app.admin, { key: 'badge', type: 'text', required: true });
  expect(codes((await add().expect(400)).body.details)).toEqual({ 'custom_fields.badge': 'required' });
  expect(codes((await add({ badge: ' ' }).expect(400)).body.details)).toEqual({ 'custom_fields.badge': 'required' });
  const one = `${path}/${body.id}`;
  await app.admin.patch(one, { position: 'Lead' }).expect(200);
  await app.admin.patch(one, { custom_fields: { badge: null } }).expect(200); // unchanged
  await app.admin.patch(one, { custom_fields: { badge: 'B1' } }).expect(200);
  const cleared = await app.admin.patch(one, { custom_fields: { badge: null } }).expect(400);
  expect(codes(cleared.body.details)).toEqual({ 'custom_fields.badge': 'not_clearable' });
});

test('a retired option stays with people who have it, and can’t be newly assigned', async () => {
  const options = ['s', 'm'].map((key) => ({ key, label: { default: key } }));
  await defineField(app.admin, { key: 'size', type: 'choice', options });
  const { body } = await add({ size: 's' }).expect(201);
  const field = `${fieldsPath}/size`;
  const without = await app.admin.patch(field, { options: options.slice(1) }).expect(400);
  expect(codes(without.body.details)).toEqual({ options: 'required' });
  await app.admin.patch(field, { options: [{ ...options[0], retired: true }, options[1]] }).expect(200);
  await app.admin.put(`${path}/${body.id}`, body).expect(200);
  expect(codes((await add({ size: 's' }).expect(400)).body.details)).toEqual({ 'custom_fields.size': 'not_in_enum' });
});

describe('a unique field', () => {
  test('has each value once, and frees it when its owner is deleted', async () => {
    await defineField(app.admin, { key: 'badge', type: 'email', unique: true });
    const { body } = await add({ badge: 'A@b.example' }).expect(201);
    const taken = { 'custom_fields.badge': 'taken' };
    expect(codes((await add({ badge: 'a@B.example' }).expect(400)).body.details)).toEqual(taken);
    const other = await add({ badge: 'c@b.example' }).expect(201);
    const change = { custom_fields: { badge: 'a@b.example' } };
    expect(codes((await app.admin.patch(`${path}/${other.body.id}`, change).expect(400)).body.details)).toEqual(taken);
    await app.admin.patch(`${path}/${body.id}`, change).expect(200);
    await app.admin.delete(`${path}/${body.id}`).expect(200);
    await app.admin.patch(`${path}/${other.body.id}`, change).expect(200);
    await add({ badge: 'c@b.example' }).expect(201);
    const refused = await app.admin.post(`${path}/${body.id}/restore`);
    expect([refused.status, refused.body.error]).toEqual([409, 'conflict']);
  });

  test('requires that no value is used twice', async () => {
    await defineField(app.admin, { key: 'badge', type: 'text' });
    const [one, other] = [await add({ badge: 'B1' }).expect(201), await add({ badge: 'B1' }).expect(201)];
    const field = `${fieldsPath}/badge`;
    const refused = await app.admin.patch(field, { unique: true }).expect(400);
    expect(codes(refused.body.details)).toEqual({ unique: 'taken' });
    await app.admin.patch(`${path}/${other.body.id}`, { custom_fields: { badge: 'B2' } }).expect(200);
    await app.admin.patch(field, { unique: true }).expect(200);
    await add({ badge: 'B1' }).expect(400);
    await app.admin.patch(field, { unique: false }).expect(200);
    await add({ badge: 'B1' }).expect(201);
    expect(one.body.id).toBeDefined();
  });

  test('gives a value to one of many concurrent requests', async () => {
    await defineField(app.admin, { key: 'badge', type: 'text', unique: true });
    const responses = await Promise.all(Array.from({ length: 4 }, () => add({ badge: 'B1' })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(3).fill(400)]);
    for (const { body } of responses.filter(({ status }) => status === 400)) {
      expect(codes(body.details)).toEqual({ 'custom_fields.badge': 'taken' });
    }
  });
});

test('bulk items are validated one by one, and can pass values on', async () => {
  await defineField(app.admin, { key: 'badge', type: 'text', unique: true, required: true });
  const items = [
    person({ custom_fields: { badge: 'B1' } }),
    person({ custom_fields: { badge: ' B1 ' } }),
    person({}),
    person({ custom_fields: [] }),
    person({ custom_fields: { badge: 'B2', other: 1 } }),
    person({ custom_fields: { badge: 'B3' } }),
  ];
  const { body } = await app.admin.post(`${path}/bulk`, { mode: 'create', items }).expect(200);
  const found = body.results.map(({ error }: { error?: { details: never } }) => error && codes(error.details));
  expect(found).toEqual([
    null,
    { 'custom_fields.badge': 'taken' },
    { 'custom_fields.badge': 'required' },
    { custom_fields: 'invalid_type' },
    { 'custom_fields.other': 'field_not_allowed' },
    null,
  ]);
  const [one, , , , , other] = body.results.map(({ id }: { id: string }) => id);
  const swap = [
    { id: one, custom_fields: { badge: 'B4' } },
    { id: other, custom_fields: { badge: 'B1' } },
  ];
  const swapped = await app.admin.post(`${path}/bulk`, { mode: 'update', items: swap }).expect(200);
  expect(swapped.body.summary).toMatchObject({ succeeded: 2 });
  const badges = await app.database.query('select value_text as badge from custom_field_values order by 1');
  expect(badges.map(({ badge }) => badge)).toEqual(['B1', 'B4']);
});

describe('a unique field in bulk', () => {
  type Result = { status: string; error: { error: string; details: never } | null };
  const bulk = async (request: object): Promise<Result[]> =>
    (await app.admin.post(`${path}/bulk`, request).expect(200)).body.results;
  const outcomes = (results: Result[]) =>
    results.map(({ status, error }) => (error ? [status, error.error, codes(error.details)] : [status]));
  const refused = ['failed', 'validation_error', { 'custom_fields.badge': 'taken' }];

  test.each(['update', 'upsert'])('%s: the first of two rows with the same value gets it', async (mode) => {
    await defineField(app.admin, { key: 'badge', type: 'text', unique: true });
    const people = [(await add().expect(201)).body, (await add().expect(201)).body];
    const items = people.map(({ id, email }) => ({
      ...(mode === 'update' ? { id } : { email }),
      custom_fields: { badge: 'B1' },
    }));
    expect(outcomes(await bulk({ mode, dry_run: true, items }))).toEqual([['updated'], refused]);
    expect(outcomes(await bulk({ mode, on_error: 'abort', items }))).toEqual([['skipped'], refused]);
    expect(outcomes(await bulk({ mode, items }))).toEqual([['updated'], refused]);
    const storedValues = await app.database.query('select collaborator_id from custom_field_values');
    expect(storedValues).toEqual([{ collaborator_id: people[0].id }]);
  });

  test('gives a value to one of several concurrent bulk and single requests', async () => {
    await defineField(app.admin, { key: 'badge', type: 'text', unique: true });
    const create = () => ({
      mode: 'create',
      items: ['B1', 'B2', 'B3'].map((badge) => person({ custom_fields: { badge } })),
    });
    const [singles, ...requests] = await Promise.all([
      Promise.all(['B1', 'B2', 'B3'].map((badge) => add({ badge }))),
      bulk(create()),
      bulk(create()),
    ]);
    for (const at of [0, 1, 2]) {
      const all = [singles[at]!.status === 201, ...requests.map((results) => results[at]!.status === 'created')];
      expect(all.filter(Boolean)).toHaveLength(1);
    }
    for (const result of requests.flat()) {
      if (result.error) expect(outcomes([result])).toEqual([refused]);
    }
    const storedValues = await app.database.query('select value_text from custom_field_values order by 1');
    expect(storedValues.map((row) => row.value_text)).toEqual(['B1', 'B2', 'B3']);
  });
});

test('history, events, and the audit log report changes', async () => {
  await defineField(app.admin, { key: 'size', type: 'number' });
  await defineField(app.admin, { key: 'pay_grade', type: 'text', sensitive: true });
  const { body } = await add({ size: 1, pay_grade: 'G1' }).expect(201);
  const change = { position: 'Lead', custom_fields: { size: 2, pay_grade: 'G2' } };
  await app.admin.patch(`${path}/${body.id}`, change).expect(200);
  const history = await app.admin.get(`${path}/${body.id}/history`).expect(200);
  expect(history.body.data[0]).toMatchObject({
    description: 'Changed position, custom_fields.size, custom_fields.pay_grade',
    changes: [
      { field: 'position', from: 'Driver', to: 'Lead' },
      { field: 'custom_fields.size', from: 1, to: 2 },
      { field: 'custom_fields.pay_grade', from: 'G1', to: 'G2' },
    ],
  });
  const audit = await app.admin.get('/v1/audit').query({ changed_field: 'custom_fields.pay_grade' }).expect(200);
  expect(
    audit.body.data.map(({ action, details }: components['schemas']['AuditEntry']) => [action, details.changed_fields]),
  ).toEqual([['patchCollaborator', ['custom_fields', 'custom_fields.pay_grade', 'custom_fields.size', 'position']]]);
  const rows = await app.database.query(`select name, payload from events where payload like '%${body.id}%'`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['collaborator.created', 'collaborator.updated']);
  expect(JSON.stringify(rows)).not.toMatch(/G1|G2/);
  const updated = rows.find(({ name }) => name === 'collaborator.updated')!.payload as string;
  expect(JSON.parse(updated)).toMatchObject({
    custom_fields: { size: 2 },
    changed_fields: ['position', 'custom_fields.size', 'custom_fields.pay_grade'],
    previous: { position: 'Driver', custom_fields: { size: 1 } },
  });
});

test('archiving hides a field and its values until it is restored', async () => {
  await defineField(app.admin, { key: 'size', type: 'number' });
  const { body } = await add({ size: 1 }).expect(201);
  const one = `${path}/${body.id}`;
  await app.admin.patch(`${fieldsPath}/size`, { archived: true }).expect(200);
  expect((await app.admin.get(one).expect(200)).body.custom_fields).toEqual({});
  const refused = await app.admin.patch(one, { custom_fields: { size: 2 } }).expect(400);
  expect(codes(refused.body.details)).toEqual({ 'custom_fields.size': 'field_not_allowed' });
  await app.admin.patch(one, { position: 'Lead' }).expect(200);
  await app.admin.patch(`${fieldsPath}/size`, { archived: false }).expect(200);
  expect((await app.admin.get(one).expect(200)).body.custom_fields).toEqual({ size: 1 });
});
