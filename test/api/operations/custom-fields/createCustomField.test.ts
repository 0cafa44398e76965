import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { clearFields, defineField, fieldsPath } from '../../../helpers/resources/custom-fields.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => clearFields(app));

const minimal = { key: 'shirt_size', label: { default: 'Shirt size' }, type: 'text' };
const create = (body: unknown) => app.admin.post(fieldsPath, body);
const codes = (details: Record<string, { code: string }[]>) =>
  Object.fromEntries(Object.entries(details).map(([field, errors]) => [field, errors.map(({ code }) => code).join()]));
const option = (key: string) => ({ key, label: { default: key } });

describe('succeeds', () => {
  test('with the required fields only, just admins can read and write the field', async () => {
    const { body, headers } = await create(minimal).expect(201);
    expect(body).toEqual({
      ...minimal,
      label: { default: 'Shirt size', en: null, pt: null, es: null },
      description: null,
      options: [],
      required: false,
      unique: false,
      read: 'admin',
      write: 'admin',
      sensitive: false,
      position: 1,
      archived: false,
      deletion: null,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: body.created_at,
    });
    expect(headers.location).toBe(`${fieldsPath}/shirt_size`);
    const fetched = await app.admin.get(headers.location!).expect(200);
    expect([fetched.body, fetched.headers.etag]).toEqual([body, headers.etag]);
  });

  test('appends each field after the previous ones, before archived ones', async () => {
    await defineField(app.admin, { key: 'first', type: 'text' });
    await app.admin.patch(`${fieldsPath}/first`, { archived: true }).expect(200);
    await defineField(app.admin, { key: 'second', type: 'date' });
    await defineField(app.admin, { key: 'third', type: 'date' });
    const { body } = await app.admin.get(`${fieldsPath}?include_archived=true`).expect(200);
    const found = body.data.map(({ key, position }: { key: string; position: number }) => `${position} ${key}`);
    expect(found).toEqual(['1 second', '2 third', '3 first']);
  });

  test('with an Idempotency-Key, runs once', async () => {
    const key = randomUUID();
    const { body } = await create(minimal).set('Idempotency-Key', key).expect(201);
    const replay = await create(minimal).set('Idempotency-Key', key).expect(201);
    expect([replay.body, replay.headers['idempotency-replayed']]).toEqual([body, 'true']);
  });
});

test.each([
  ['a key that is none', { key: 'Shirt size' }, { key: 'invalid_format' }],
  ['a key that is taken', { key: 'there' }, { key: 'taken' }],
  ['no label', { label: {} }, { 'label.default': 'required' }],
  ['another type', { type: 'colour' }, { type: 'not_in_enum' }],
  ['a choice of nothing', { type: 'choice' }, { options: 'required' }],
  ['options of a text', { options: [option('a')] }, { options: 'field_not_allowed' }],
  ['the same option twice', { type: 'choice', options: [option('a'), option('a')] }, { 'options.1.key': 'taken' }],
  ['values that are written and not read', { read: 'manager', write: 'employee' }, { write: 'out_of_range' }],
  ['a unique choice', { type: 'boolean', unique: true }, { unique: 'field_not_allowed' }],
  ['a unique field of everybody', { unique: true, read: 'employee', write: 'employee' }, { write: 'out_of_range' }],
  ['an unknown field', { colour: 'red' }, { colour: 'field_not_allowed' }],
])('rejects %s', async (_, change, expected) => {
  await defineField(app.admin, { key: 'there', type: 'text' });
  const { body } = await create({ ...minimal, ...change }).expect(400);
  expect(codes(body.details)).toEqual(expected);
});

test('a company can have 100 fields, and 200 with archived ones', async () => {
  const define = (from: number, count: number) => {
    const all = Array.from(
      { length: count },
      (_, at) => `('{"key": "f${from + at}", "archived": ${from > 0}}'::jsonb)`,
    );
    return app.database.query(`
      update custom_field_sets set version = gen_random_uuid(), definitions = definitions || (
        select jsonb_agg(definitions -> 0 || field) from (values ${all.join()}) as fields (field)
      ) where company_id = '${app.company_id}'`);
  };
  await defineField(app.admin, { key: 'there', type: 'text' });
  await define(0, 99);
  expect((await create(minimal).expect(409)).body.error).toBe('conflict');
  await app.admin.patch(`${fieldsPath}/there`, { archived: true }).expect(200);
  await create(minimal).expect(201);
  await app.admin.patch(`${fieldsPath}/there`, { archived: false }).expect(409);
  await define(1_000, 99);
  await app.admin.patch(`${fieldsPath}/shirt_size`, { archived: true }).expect(200);
  expect((await create({ ...minimal, key: 'one_more' }).expect(409)).body.error).toBe('conflict');
});

test('only admins with the scope can create fields', async () => {
  expect((await app.manager.post(fieldsPath, minimal).expect(403)).body.error).toBe('forbidden');
  const without = await app.as('admin', { scopes: ['collaborators:read', 'custom_fields:sensitive'] });
  expect((await without.post(fieldsPath, minimal).expect(403)).body.error).toBe('insufficient_scope');
});

test('the field doesn’t exist in another company, which can use the same key', async () => {
  await create(minimal).expect(201);
  await app.outsider.get(`${fieldsPath}/shirt_size`).expect(404);
  expect((await app.outsider.get(fieldsPath).expect(200)).body.data).toEqual([]);
  await defineField(app.outsider, { key: 'shirt_size', type: 'number' });
  expect((await app.admin.get(`${fieldsPath}/shirt_size`).expect(200)).body.type).toBe('text');
});
