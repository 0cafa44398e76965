/** Filtering, sorting, and selecting by custom fields. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { defineField } from '../../helpers/resources/custom-fields.ts';

let app: TestApp;
const path = '/v1/collaborators';
const options = ['s', 'm', 'l'].map((key) => ({ key, label: { default: key } }));
const people = [
  { name: 'Ana', size: 's', level: 3, since: '2024-01-31', remote: true, languages: ['pt', 'es'], badge: 'B1' },
  { name: 'Bia', size: 'l', level: 10, since: '2025-06-01', remote: false, languages: ['pt'], badge: 'b2' },
  { name: 'Caio', size: 'm', level: -2.5, since: '2023-12-01', languages: ['en'] },
  { name: 'Davi', note: 'null' },
];

beforeAll(async () => {
  app = await testApp();
  await defineField(app.admin, { key: 'size', type: 'choice', options, read: 'employee' });
  await defineField(app.admin, { key: 'level', type: 'number' });
  await defineField(app.admin, { key: 'since', type: 'date' });
  await defineField(app.admin, { key: 'remote', type: 'boolean' });
  const languages = ['pt', 'es', 'en'].map((key) => ({ key, label: { default: key } }));
  await defineField(app.admin, { key: 'languages', type: 'multi_choice', options: languages });
  await defineField(app.admin, { key: 'badge', type: 'text' });
  await defineField(app.admin, { key: 'note', type: 'text' });
  await defineField(app.admin, { key: 'grade', type: 'number', sensitive: true });
  for (const { name, ...values } of people) {
    const person = { name, email: `${name}@verde.example`, position: 'Driver', department: 'Fields' };
    await app.admin.post(path, { ...person, name: `${name} X`, custom_fields: values }).expect(201);
  }
});
afterAll(() => app.close());

const namesOf = (data: { name: string }[]) => data.map(({ name }) => name.split(' ')[0]).join();
const list = async (query: string) => {
  const { body } = await app.admin.get(`${path}?department=Fields&sort=name&${query}`).expect(200);
  expect(body.meta.total).toBe(body.data.length);
  return namesOf(body.data);
};

test.each([
  ['custom_fields[size]=s', 'Ana'],
  ['custom_fields[level]=10', 'Bia'],
  ['custom_fields[level]=10.0', 'Bia'],
  ['custom_fields[level][gte]=3', 'Ana,Bia'],
  ['custom_fields[level][gte]=-5&custom_fields[level][lte]=3', 'Ana,Caio'],
  ['custom_fields[since][lte]=2024-01-31', 'Ana,Caio'],
  ['custom_fields[since]=2025-06-01', 'Bia'],
  ['custom_fields[remote]=false', 'Bia'],
  ['custom_fields[languages]=pt', 'Ana,Bia'],
  ['custom_fields[badge]=B1', 'Ana'],
  ['custom_fields[note]=null', 'Davi'],
  ["custom_fields[badge]=B1'%20or%20'1'='1", ''],
  ['custom_fields[size]=s&custom_fields[remote]=false', ''],
  ['custom_fields%5Bsize%5D=m&search=cai', 'Caio'],
])('%s finds %p', async (query, expected) => {
  expect(await list(query)).toBe(expected);
});

test.each([
  ['custom_fields[nothing]=s', 'custom_fields[nothing]', 'not_in_enum'],
  ['custom_fields[size]=xl', 'custom_fields[size]', 'not_in_enum'],
  ['custom_fields[size][gte]=s', 'custom_fields[size]', 'field_not_allowed'],
  ['custom_fields[level][gt]=1', 'custom_fields[level]', 'field_not_allowed'],
  ['custom_fields[level]=x', 'custom_fields[level]', 'invalid_type'],
  ['custom_fields[since]=2024-02-30', 'custom_fields[since]', 'invalid_format'],
  ['custom_fields[note]=', 'custom_fields[note]', 'too_short'],
  ['custom_fields[since][gte]=', 'custom_fields[since]', 'too_short'],
  ['custom_fields[badge]=B1&custom_fields[badge]=b2', 'custom_fields[badge]', 'invalid_type'],
  ['custom_fields[level][gte]=1&custom_fields[level][gte]=2', 'custom_fields[level][gte]', 'invalid_type'],
  ['custom_fields=s', 'custom_fields', 'invalid_type'],
  ['custom_fields[level]=1&custom_fields[level][gte]=2', 'custom_fields.level.gte', 'field_not_allowed'],
  ['sort=custom_fields.languages', 'sort', 'field_not_allowed'],
  ['sort=custom_fields.nothing', 'sort', 'not_in_enum'],
  ['fields=custom_fields.nothing', 'fields', 'not_in_enum'],
])('rejects %s', async (query, field, code) => {
  const { body } = await app.admin.get(`${path}?${query}`).expect(400);
  expect([body.error, body.details[field][0].code]).toEqual(['invalid_parameter', code]);
});

test.each([
  ['custom_fields.level', 'Caio,Ana,Bia,Davi'],
  ['-custom_fields.level', 'Bia,Ana,Caio,Davi'],
  ['custom_fields.since', 'Caio,Ana,Bia,Davi'],
  ['-custom_fields.since', 'Bia,Ana,Caio,Davi'],
  ['custom_fields.size', 'Ana,Caio,Bia,Davi'],
  ['-custom_fields.size', 'Bia,Caio,Ana,Davi'],
  ['custom_fields.badge', 'Ana,Bia,Caio,Davi'],
  ['-custom_fields.badge', 'Bia,Ana,Davi,Caio'],
  ['custom_fields.remote,-name', 'Bia,Ana,Davi,Caio'],
  ['-custom_fields.remote,name', 'Ana,Bia,Caio,Davi'],
])('sort=%s orders pages and cursors', async (sort, expected) => {
  const query = `${path}?department=Fields&sort=${sort}`;
  expect(namesOf((await app.admin.get(query).expect(200)).body.data)).toBe(expected);
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await app.admin.get(`${query}&limit=1${cursor}`).expect(200);
    found.push(namesOf(body.data));
    if (!body.pagination.hasMore) break;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
  expect(found.join()).toBe(expected);
});

test('fields selects them by name', async () => {
  const one = `${path}?department=Fields&custom_fields[size]=s&fields=`;
  const firstRow = async (fields: string) => (await app.admin.get(one + fields).expect(200)).body.data[0];
  expect(await firstRow('custom_fields.size')).toEqual({ id: expect.any(String), custom_fields: { size: 's' } });
  expect(Object.keys((await firstRow('name,custom_fields')).custom_fields)).toHaveLength(8);
  expect(await firstRow('name')).toEqual({ id: expect.any(String), name: 'Ana X' });
});

describe('unreadable fields can’t be used to filter or sort, which would reveal values', () => {
  test.each(['custom_fields[level]=3', 'sort=custom_fields.level', 'custom_fields[grade]=3'])('%s', async (query) => {
    for (const client of [app.manager, app.employee]) {
      const { body } = await client.get(`${path}?${query}`).expect(400);
      expect(body.error).toBe('invalid_parameter');
    }
    await app.manager.get(`${path}?custom_fields[size]=s`).expect(200);
  });

  test('in the language of the reader', async () => {
    const { body } = await app.manager
      .get(`${path}?sort=custom_fields.level`)
      .set('Accept-Language', 'pt-BR')
      .expect(400);
    expect(body.message).toBe('O parâmetro sort não pode ser usado assim.');
  });

  test('a sensitive field without its scope', async () => {
    const without = await app.as('admin', { scopes: ['collaborators:read', 'salary:read'] });
    const unknown = await without.get(`${path}?custom_fields[nothing]=3`).expect(400);
    const { body } = await without.get(`${path}?custom_fields[grade]=3`).expect(400);
    expect(JSON.stringify(body).replaceAll('grade', 'nothing')).toBe(JSON.stringify(unknown.body));
    await without.get(`${path}?sort=custom_fields.grade`).expect(400);
    await app.admin.get(`${path}?custom_fields[grade]=3`).expect(200);
  });
});
