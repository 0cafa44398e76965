import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { clearFields, defineField, fieldsPath } from '../../../helpers/resources/custom-fields.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => clearFields(app));

const field = `${fieldsPath}/shirt_size`;
const option = (key: string) => ({ key, label: { default: key } });
const define = (more: object = {}) => defineField(app.admin, { key: 'shirt_size', type: 'text', ...more });
const change = (body: unknown) => app.admin.patch(field, body);
const codes = (details: Record<string, { code: string }[]>) =>
  Object.fromEntries(Object.entries(details).map(([name, errors]) => [name, errors.map(({ code }) => code).join()]));
const events = async () =>
  (
    await app.database.query(
      `select name, payload::jsonb -> 'changed_by' as who from events where name like 'custom_field.%' order by id`,
    )
  ).map(({ name, who: actorId }) => [name, actorId]);

describe('succeeds', () => {
  test('changes only the fields sent, and notifies subscribers', async () => {
    const before = await define({ description: 'Old', required: true });
    await app.database.query('delete from events');
    const { body, headers } = await change({ label: { default: 'Size', pt: 'Tamanho' }, read: 'manager' }).expect(200);
    expect(body).toEqual({
      ...before,
      label: { default: 'Size', en: null, pt: 'Tamanho', es: null },
      read: 'manager',
      updated_at: body.updated_at,
    });
    const fetched = await app.admin.get(field).expect(200);
    expect([fetched.body, fetched.headers.etag]).toEqual([body, headers.etag]);
    await change({ archived: true }).expect(200);
    await change({ archived: false }).expect(200);
    const actorId = app.admin.user_id;
    expect(await events()).toEqual([
      ['custom_field.updated', actorId],
      ['custom_field.archived', actorId],
      ['custom_field.updated', actorId],
    ]);
  });

  test('does nothing without a change', async () => {
    const before = await define({ description: 'Old' });
    await app.database.query('delete from events');
    for (const same of [{}, { description: 'Old' }, { position: 1 }, { archived: false }]) {
      expect((await change(same).expect(200)).body).toEqual(before);
    }
    expect(await events()).toEqual([]);
  });

  test('accepts a previous response with one change', async () => {
    const before = await define({ description: 'Old' });
    expect((await change({ ...before, description: null }).expect(200)).body.description).toBeNull();
    expect(codes((await change({ ...before, type: 'number' }).expect(400)).body.details)).toEqual({
      type: 'field_not_allowed',
    });
  });

  test.each([
    ['third', 1, ['third', 'shirt_size', 'second']],
    ['shirt_size', 2, ['second', 'shirt_size', 'third']],
    ['shirt_size', 99, ['second', 'third', 'shirt_size']],
  ])('moves %s to position %i', async (key, position, order) => {
    await define();
    for (const other of ['second', 'third']) await defineField(app.admin, { key: other, type: 'text' });
    await app.admin.patch(`${fieldsPath}/${key}`, { position }).expect(200);
    const { data } = (await app.admin.get(fieldsPath).expect(200)).body;
    expect(data.map((each: { key: string; position: number }) => `${each.position} ${each.key}`)).toEqual(
      order.map((name, at) => `${at + 1} ${name}`),
    );
  });

  test('with an Idempotency-Key, runs once', async () => {
    await define();
    const key = randomUUID();
    const { body } = await change({ description: 'New' }).set('Idempotency-Key', key).expect(200);
    await change({ description: 'Newer' }).expect(200);
    const replay = await change({ description: 'New' }).set('Idempotency-Key', key).expect(200);
    expect([replay.body, replay.headers['idempotency-replayed']]).toEqual([body, 'true']);
    expect((await app.admin.get(field).expect(200)).body.description).toBe('Newer');
  });
});

test.each([
  ['an empty label', {}, { label: { default: '' } }, { 'label.default': 'too_short' }],
  ['what is no rule', {}, { colour: 'red' }, { colour: 'field_not_allowed' }],
  ['a position before the first', {}, { position: 0 }, { position: 'out_of_range' }],
  ['values that are written and not read', {}, { write: 'employee' }, { write: 'out_of_range' }],
  ['options of a text', {}, { options: [option('a')] }, { options: 'field_not_allowed' }],
  ['a choice of nothing', { type: 'choice', options: [option('a')] }, { options: [] }, { options: 'required' }],
  ['a unique choice', { type: 'choice', options: [option('a')] }, { unique: true }, { unique: 'field_not_allowed' }],
  ['a unique field of everybody', { unique: true }, { read: 'manager', write: 'manager' }, { write: 'out_of_range' }],
])('rejects %s', async (_, more, sent, expected) => {
  const before = await define(more);
  expect(codes((await change(sent).expect(400)).body.details)).toEqual(expected);
  expect((await app.admin.get(field).expect(200)).body).toEqual(before);
});

test('returns 412 if the field has changed', async () => {
  await define();
  const { headers } = await app.admin.get(field).expect(200);
  await change({ description: 'First' }).set('If-Match', headers.etag!).expect(200);
  const { body } = await change({ description: 'Second' }).set('If-Match', headers.etag!).expect(412);
  expect(body.error).toBe('precondition_failed');
});

test('returns 404 for a field that is being deleted', async () => {
  await define();
  await app.admin.delete(`${field}?confirm=shirt_size`).expect(202);
  await change({ description: 'Late' }).expect(404);
});

test('only admins with the scope can change fields; others who can’t read the field get 404', async () => {
  await define({ read: 'manager' });
  expect((await app.manager.patch(field, { description: 'x' }).expect(403)).body.error).toBe('forbidden');
  await app.employee.patch(field, { description: 'x' }).expect(404);
  const without = await app.as('admin', { scopes: ['collaborators:read', 'custom_fields:sensitive'] });
  expect((await without.patch(field, { description: 'x' }).expect(403)).body.error).toBe('insufficient_scope');
});

test('returns 404 to another company, whatever the body', async () => {
  await define();
  const { text } = await app.outsider.patch(`${fieldsPath}/nothing`, { description: 'x' }).expect(404);
  for (const sent of [{ description: 'x' }, { colour: 'red' }]) {
    expect((await app.outsider.patch(field, sent).expect(404)).text).toBe(text);
  }
});
