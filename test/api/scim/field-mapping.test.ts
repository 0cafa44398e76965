/** Mapping directory attributes to custom fields. */
import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory, type TestDirectory } from '../../helpers/resources/directories.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const vendor = 'urn:example:params:scim:schemas:extension:hr:2.0:User';

let app: TestApp;
let directory: TestDirectory;
beforeAll(async () => {
  app = await testApp();
  directory = await addDirectory(app);
  const fields = [
    { key: 'cost_center', type: 'text' },
    { key: 'floor', type: 'number' },
    { key: 'remote', type: 'boolean' },
    { key: 'joined_union', type: 'date' },
    { key: 'contract', type: 'choice', options: [{ key: 'fixed', label: { default: 'Fixed term' } }] },
    { key: 'badge', type: 'text', unique: true },
    { key: 'iban', type: 'text', sensitive: true },
  ];
  for (const field of fields) {
    await app.admin.post('/v1/custom-fields', { ...field, label: { default: field.key } }).expect(201);
  }
  await map([`${enterprise.toUpperCase()}:costcenter`, 'cost_center'], ['userType', 'contract']).expect(200);
});
afterAll(() => app.close());

const map = (...mapping: [attribute: string, key: string][]) =>
  app.admin.patch(`/v1/directories/${directory.id}`, {
    field_mapping: mapping.map(([attribute, custom_field]) => ({ attribute, custom_field })),
  });
const add = async (attributes: object): Promise<string> =>
  (await directory.post('/Users', { userName: `${randomUUID()}@verdelog.example`, ...attributes }).expect(201)).body.id;
const valuesOf = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body.custom_fields;

test('returns the default attribute names, and stays the same when sent back', async () => {
  const path = `/v1/directories/${directory.id}`;
  const { body } = await app.admin.get(path).expect(200);
  expect(body.field_mapping).toEqual([
    { attribute: `${enterprise}:costCenter`, custom_field: 'cost_center' },
    { attribute: 'userType', custom_field: 'contract' },
  ]);
  const { body: repeated } = await app.admin.patch(path, { field_mapping: body.field_mapping }).expect(200);
  expect(repeated).toEqual(body);
});

test('fills fields of people the directory adds, updates them, and clears missing values', async () => {
  const id = await add({ userType: 'Fixed Term', [enterprise]: { costCenter: '4170' } });
  expect(await valuesOf(id)).toMatchObject({ cost_center: '4170', contract: 'fixed', floor: null });
  await directory.patch(`/Users/${id}`, { op: 'Replace', path: `${enterprise}:costCenter`, value: 99 }).expect(200);
  await directory.patch(`/Users/${id}`, { op: 'Remove', path: 'userType' }).expect(200);
  expect(await valuesOf(id)).toMatchObject({ cost_center: '99', contract: null });
  const { body } = await app.admin.get(`/v1/collaborators/${id}/history?limit=5`).expect(200);
  expect(body.data[0]).toMatchObject({ changes: [{ field: 'custom_fields.contract', from: 'fixed', to: null }] });
});

test('doesn’t touch values that the directory never sent', async () => {
  const id = await add({});
  await app.admin.patch(`/v1/collaborators/${id}`, { custom_fields: { cost_center: 'by hand' } }).expect(200);
  await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'title', value: 'Driver' }).expect(200);
  expect(await valuesOf(id)).toMatchObject({ cost_center: 'by hand' });
});

test('converts texts to numbers, booleans, and dates, also from unknown schemas', async () => {
  await map([`${vendor}:floor`, 'floor'], [`${vendor}:remote`, 'remote'], [`${vendor}:since`, 'joined_union']).expect(
    200,
  );
  const id = await add({ schemas: [vendor], [vendor]: { floor: '3', remote: 'True', since: '2026-03-02' } });
  expect(await valuesOf(id)).toMatchObject({ floor: 3, remote: true, joined_union: '2026-03-02' });
});

test('rejects a person with an invalid value, and keeps the error', async () => {
  await map(['userType', 'contract']).expect(200);
  const sent = { userName: `${randomUUID()}@verdelog.example`, userType: 'Nobody' };
  const { body } = await directory.post('/Users', sent).expect(400);
  expect(body.detail).toMatch(/^userType: /);
  const { body: errors } = await app.admin.get(`/v1/directories/${directory.id}/errors`).expect(200);
  expect(JSON.stringify(errors.data)).toContain('userType: ');
});

test('a person whose stored value a field refuses can be deactivated, and nothing else', async () => {
  await map().expect(200);
  const id = await add({ userType: 'Nobody' });
  await map(['userType', 'contract']).expect(200);
  await directory.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Lead' }).expect(400);
  const { body } = await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } }).expect(200);
  expect(body).toMatchObject({ active: false, userType: 'Nobody' });
  const { body: record } = await app.admin.get(`/v1/collaborators/${id}`).expect(200);
  expect(record).toMatchObject({ status: 'inactive', managed_by: { fields: expect.arrayContaining(['status']) } });
  await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: true } }).expect(400);
});

test('ignores archived fields', async () => {
  await map(['userType', 'cost_center']).expect(200);
  await app.admin.patch('/v1/custom-fields/cost_center', { archived: true }).expect(200);
  const id = await add({ userType: 'anything' });
  await app.admin.patch('/v1/custom-fields/cost_center', { archived: false }).expect(200);
  expect(await valuesOf(id)).toMatchObject({ cost_center: null });
  expect(await valuesOf(await add({ userType: 'anything' }))).toMatchObject({ cost_center: 'anything' });
});

test.each([
  ['an unknown field', ['userType', 'nothing'], 'custom_field', 'not_found'],
  ['a sensitive field', ['userType', 'iban'], 'custom_field', 'field_not_allowed'],
  ['an unknown attribute', ['constructor', 'floor'], 'attribute', 'invalid_format'],
  ['a malformed attribute', ['a b', 'floor'], 'attribute', 'invalid_format'],
] as const)('rejects %s', async (_name, entry, pointer, code) => {
  const { body } = await map([...entry]).expect(400);
  expect(body.details).toEqual({ [`field_mapping.0.${pointer}`]: [expect.objectContaining({ code })] });
});

describe('a unique field', () => {
  const storedValues = () =>
    app.database.query('select value_text, collaborator_id from custom_field_values order by value_text');
  const send = (badge: string | undefined, userName = `${randomUUID()}@verdelog.example`) =>
    directory.post('/Users', { userName, userType: badge });
  beforeAll(async () => {
    await map(['userType', 'badge']).expect(200);
  });
  afterEach(() => app.database.query('delete from custom_field_values'));

  test('rejects a person added or changed with another person’s value, as a SCIM uniqueness error', async () => {
    const [one, other] = [await add({ userType: 'B1' }), await add({ userType: 'B2' })];
    const { body } = await send('B1').expect(409);
    expect(body).toMatchObject({ status: '409', scimType: 'uniqueness' });
    expect(body.detail).toMatch(/^userType: /);
    const change = (id: string, value: string) =>
      directory.patch(`/Users/${id}`, { op: 'Replace', path: 'userType', value });
    const refused = await change(other, 'B1').expect(409);
    expect([refused.body.scimType, refused.body.detail]).toEqual(['uniqueness', body.detail]);
    expect(await valuesOf(other)).toMatchObject({ badge: 'B2' });
    const { text } = await app.admin.get(`/v1/directories/${directory.id}/errors`).expect(200);
    expect(text).toContain('userType: ');
    await change(one, 'B3').expect(200);
    await change(other, 'B1').expect(200);
    expect(await storedValues()).toEqual([
      { value_text: 'B1', collaborator_id: other },
      { value_text: 'B3', collaborator_id: one },
    ]);
  });

  test('rejects a value that an admin has assigned', async () => {
    const person = { name: 'Ana', email: `${randomUUID()}@verde.example`, position: 'x', department: 'y' };
    await app.admin.post('/v1/collaborators', { ...person, custom_fields: { badge: 'B1' } }).expect(201);
    await send('B1').expect(409);
  });

  test('gives a value to one of several concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => send('B1')));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
    for (const { status, body } of responses) if (status === 409) expect(body.scimType).toBe('uniqueness');
    expect(await storedValues()).toHaveLength(1);
  });

  test('frees a value when its owner returns with another', async () => {
    await app.admin.patch(`/v1/directories/${directory.id}`, { on_delete: 'delete' }).expect(200);
    const userName = `${randomUUID()}@verdelog.example`;
    const { id } = (await send('B1', userName).expect(201)).body;
    await directory.delete(`/Users/${id}`).expect(204);
    expect((await send('B2', userName).expect(201)).body.id).toBe(id);
    expect(await storedValues()).toEqual([{ value_text: 'B2', collaborator_id: id }]);
    await send('B1').expect(201);
  });
});

test('rejects two attributes for one field', async () => {
  const { body } = await map(['userType', 'floor'], ['title', 'floor']).expect(400);
  expect(body.details).toEqual({ 'field_mapping.1.custom_field': [expect.objectContaining({ code: 'taken' })] });
});
