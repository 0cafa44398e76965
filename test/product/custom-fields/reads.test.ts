/** Values outside of records: value lists, filtered exports, and audit log entries. */
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { defineField, oneOfEach, valueOfEach } from '../../helpers/resources/custom-fields.ts';
import { csvOf, runExport } from '../../helpers/resources/exports.ts';

let app: TestApp;
let without: TestClient;
const path = '/v1/collaborators';
const secret = 'PT50-4711';

beforeAll(async () => {
  app = await testApp();
  for (const field of oneOfEach) await defineField(app.admin, field);
  await defineField(app.admin, { key: 'iban', type: 'text', sensitive: true, read: 'employee' });
  await defineField(app.admin, { key: 'grade', type: 'text', read: 'manager' });
  const values = { ...valueOfEach, grade: 'G1' };
  const set = (id: string, custom: object) => app.admin.patch(`${path}/${id}`, { custom_fields: custom }).expect(200);
  await set(app.report.collaborator_id, { ...values, iban: secret });
  await set(app.manager.collaborator_id, { ...values, a_choice: 's', grade: 'G2' });
  await set(app.employee.collaborator_id, { a_choice: 'm' });
  const { scopes } = await import('../../../src/identity/grants/scopes.ts');
  const scopesWithout = Object.keys(scopes).filter((scope) => scope !== 'custom_fields:sensitive');
  without = await app.as('admin', { scopes: scopesWithout });
});
afterAll(() => app.close());

describe('the values of a field', () => {
  const valuesOf = async (client: TestClient, key: string) => {
    const { body } = await client.get(`/v1/field-values/custom_fields.${key}`).expect(200);
    return body.data;
  };

  test('are counted for each single-value type', async () => {
    expect(await valuesOf(app.admin, 'a_choice')).toEqual([
      { value: 'm', count: 2 },
      { value: 's', count: 1 },
    ]);
    for (const [key, value] of Object.entries(valueOfEach)) {
      if (['a_choice', 'a_multi_choice', 'a_long_text'].includes(key)) continue;
      expect([key, await valuesOf(app.admin, key)]).toEqual([key, [{ value: String(value), count: 2 }]]);
    }
    for (const key of ['a_long_text', 'a_multi_choice', 'nowhere']) {
      await app.admin.get(`/v1/field-values/custom_fields.${key}`).expect(404);
    }
  });

  test('are paginated', async () => {
    const address = '/v1/field-values/custom_fields.a_choice?limit=1';
    const { body: first } = await app.admin.get(address).expect(200);
    const cursor = encodeURIComponent(first.pagination.nextCursor);
    const { body: second } = await app.admin.get(`${address}&cursor=${cursor}`).expect(200);
    expect([first.data[0].value, second.data[0].value, second.pagination.nextCursor]).toEqual(['m', 's', null]);
  });

  test('are only available to readers of the field, and count people within reach', async () => {
    expect(await valuesOf(app.manager, 'grade')).toEqual([
      { value: 'G1', count: 1 },
      { value: 'G2', count: 1 },
    ]);
    await app.employee.get('/v1/field-values/custom_fields.grade').expect(404);
    await without.get('/v1/field-values/custom_fields.iban').expect(404);
    await app.outsider.get('/v1/field-values/custom_fields.grade').expect(404);
    expect(await valuesOf(app.admin, 'iban')).toEqual([{ value: secret, count: 1 }]);
  });
});

test('an export contains the filtered people and names the filter', async () => {
  const file = await runExport(app.admin, 'list', {
    ...{ format: 'csv', 'custom_fields[a_number][gte]': '12', 'custom_fields[a_multi_choice]': 'l' },
    'custom_fields[grade]': 'G1',
  });
  expect(csvOf(file)).toHaveLength(2);
  const { data } = (await app.admin.get('/v1/exports').expect(200)).body;
  expect(data[0].filters).toEqual({
    'custom_fields[a_number][gte]': '12',
    'custom_fields[a_multi_choice]': 'l',
    'custom_fields[grade]': 'G1',
  });
  await app.admin.get('/v1/collaborators/export/group').query({ 'custom_fields[a_choice]': 's' }).expect(200);
  expect((await app.admin.get('/v1/exports').expect(200)).body.data[0].row_count).toBe(1);
  await without.get(`${path}/export/list?custom_fields[iban]=${secret}`).expect(400);
});

describe('the audit log', () => {
  const reads = async () => {
    await app.audit.flush();
    return app.database.query(`select actor_id, target_id, details from audit_log where action = 'custom_field.read'`);
  };
  const one = () => `${path}/${app.report.collaborator_id}`;

  test('records whose sensitive values were shown by which operation, without values', async () => {
    await app.admin.get(one()).expect(200);
    await app.admin.get(`${path}?limit=50`).expect(200);
    await app.admin.get(`${one()}/history`).expect(200);
    await app.admin.get('/v1/field-values/custom_fields.iban').expect(200);
    const required = ['getCollaborator', 'listCollaborators', 'listFieldValues', 'listHistory'];
    const found = await reads();
    const operations = new Set(found.map(({ details }) => details.operation_id));
    for (const operation of required) expect(operations).toContain(operation);
    for (const entry of found) {
      expect(entry.details.fields).toEqual(['custom_fields.iban']);
      expect(entry.actor_id).toBe(app.admin.user_id);
      const isOfAll = entry.details.operation_id === 'listFieldValues';
      expect(entry.target_id).toBe(isOfAll ? null : app.report.collaborator_id);
    }
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  test('omits the reader’s own values, and hidden, missing, or non-sensitive ones', async () => {
    const before = (await reads()).length;
    expect((await app.report.get(one()).expect(200)).text).toContain(secret);
    expect((await without.get(one()).expect(200)).text).not.toContain(secret);
    await app.admin.get(`${path}/${app.employee.collaborator_id}`).expect(200);
    await app.admin.get(`${one()}?fields=custom_fields.grade`).expect(200);
    await app.admin.get('/v1/field-values/custom_fields.grade').expect(200);
    await app.admin.get(`${path}/${app.manager.collaborator_id}`).expect(200);
    expect(await reads()).toHaveLength(before);
    await app.admin.get(one()).expect(200);
    expect(await reads()).toHaveLength(before + 1);
    expect((await app.admin.get('/v1/audit?action=custom_field.read').expect(200)).body.data).not.toEqual([]);
    expect((await app.admin.get('/v1/audit?exclude=reads&limit=100').expect(200)).text).not.toContain(
      'custom_field.read',
    );
  });
});
