import { eraseField } from '../../../../src/product/custom-fields/delete-field.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { clearFields, defineField, fieldsPath } from '../../../helpers/resources/custom-fields.ts';
import { testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => clearFields(app));

const path = '/v1/collaborators';
const field = `${fieldsPath}/secret_word`;
let serial = 0;
const add = async (values: object) => {
  serial += 1;
  const person = { name: 'Ana', email: `a${serial}@verde.example`, position: 'Driver', department: 'Fleet' };
  return (await app.admin.post(path, { ...person, custom_fields: values }).expect(201)).body.id as string;
};

test('hides the field immediately, and a worker erases its values, also of deleted people and in the history', async () => {
  await defineField(app.admin, { key: 'secret_word', type: 'text', unique: true });
  await defineField(app.admin, { key: 'size', type: 'number' });
  const here = await add({ secret_word: 'abracadabra', size: 4 });
  await app.admin.patch(`${path}/${here}`, { custom_fields: { secret_word: 'opensesame' } }).expect(200);
  await app.admin.delete(`${path}/${await add({ secret_word: 'hocuspocus' })}`).expect(200);

  const { body } = await app.admin.delete(`${field}?confirm=secret_word`).expect(202);
  expect(body.deletion).toMatchObject({ people_total: 2, people_done: 0 });
  expect((await app.admin.get(`${path}/${here}`).expect(200)).body.custom_fields).toEqual({ size: 4 });
  await app.admin.patch(field, { archived: false }).expect(404);
  await app.admin.post(fieldsPath, { key: 'secret_word', type: 'text', label: { default: 'x' } }).expect(400);

  const worker = await testWorker(app);
  try {
    await eventually(async () => void (await app.admin.get(field).expect(404)));
  } finally {
    await worker.stop();
  }
  for (const table of ['collaborators', 'collaborator_history', 'custom_field_values', 'custom_field_sets']) {
    const rows = await app.database.query(`select to_json(t)::text as row from ${table} t`);
    expect(rows.map(({ row }) => row).join()).not.toMatch(/abracadabra|opensesame|hocuspocus/);
  }
  const [entry] = (await app.admin.get(`${path}/${here}/history`).expect(200)).body.data;
  expect(entry.changes).toEqual([{ field: 'custom_fields.secret_word', redacted: true }]);
  const { data } = (await app.admin.get('/v1/events?limit=100').expect(200)).body;
  const deleted = data.filter(({ event }: { event: string }) => event === 'custom_field.deleted');
  expect(deleted).toHaveLength(1);
  await eraseField(app.database.db, { company_id: app.company_id, key: 'secret_word' }); // a second run has nothing to do
  await defineField(app.admin, { key: 'secret_word', type: 'text' });
});

test('requires the key as confirmation', async () => {
  await defineField(app.admin, { key: 'secret_word', type: 'text' });
  expect((await app.admin.delete(field).expect(400)).body.error).toBe('invalid_parameter');
  expect((await app.admin.delete(`${field}?confirm=size`).expect(400)).body.error).toBe('invalid_parameter');
});

test('returns 412 if the field has changed', async () => {
  await defineField(app.admin, { key: 'secret_word', type: 'text' });
  const { headers } = await app.admin.get(field).expect(200);
  await app.admin.patch(field, { description: 'Another' }).expect(200);
  await app.admin.delete(`${field}?confirm=secret_word`).set('If-Match', headers.etag!).expect(412);
});

test('a sensitive field requires its scope', async () => {
  await defineField(app.admin, { key: 'secret_word', type: 'text', sensitive: true });
  const without = await app.as('admin', { scopes: ['collaborators:read', 'custom_fields:manage'] });
  const { body } = await without.delete(`${field}?confirm=secret_word`).expect(403);
  expect([body.error, body.details.required_scopes]).toEqual(['insufficient_scope', ['custom_fields:sensitive']]);
  await without.patch(field, { read: 'employee' }).expect(403);
  await without.patch(field, { description: 'Another' }).expect(200);
});

test('returns 404 to another company', async () => {
  await defineField(app.admin, { key: 'secret_word', type: 'text' });
  const unknown = await app.outsider.delete(`${fieldsPath}/other?confirm=other`).expect(404);
  const { body } = await app.outsider.delete(`${field}?confirm=secret_word`).expect(404);
  expect(body).toEqual(unknown.body);
  await app.admin.get(field).expect(200);
});
