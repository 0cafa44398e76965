import { type TestApp, testApp } from '../../../helpers/app.ts';
import { maskIds } from '../../../helpers/contract/mask-ids.ts';
import { objects } from '../../../helpers/resources/documents.ts';
import {
  addPeople,
  column,
  csvOf,
  download,
  exportPaths,
  runExport,
  sheetsOf,
} from '../../../helpers/resources/exports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.admin
    .patch(`/v1/collaborators/${app.report.collaborator_id}`, {
      phone: '+351 210 000 000',
      hire_date: '2024-02-29',
      location: '=HYPERLINK("http://x.example")',
      work_schedule: '007',
    })
    .expect(200);
});
afterAll(() => app.close());

const path = exportPaths.list;
const everyone = ['Clara Sousa', 'Mariana Duarte', 'Rui Almeida', 'Tomás Rocha'];
const csv = async (client: TestApp['admin'], query: object = {}) =>
  csvOf(await runExport(client, 'list', { format: 'csv', ...query }));

describe('succeeds', () => {
  test('returns a finished file, and where to read the export again', async () => {
    const { body, headers } = await app.admin.get(path).expect(200);
    const day = body.created_at.slice(0, 10);
    expect(body).toEqual({
      id: expect.any(String),
      kind: 'list',
      format: 'xlsx',
      status: 'completed',
      filters: expect.any(Object),
      group_by: null,
      filename: `collaborators-${day}.xlsx`,
      row_count: 4,
      size: expect.any(Number),
      progress: { rows_total: 4, rows_done: 4, percent: 100 },
      url: expect.stringContaining(`${app.base_url}/files/`),
      failure: null,
      omitted: [],
      created_by: app.admin.user_id,
      created_at: expect.any(String),
      completed_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect(headers.location).toBe(`/v1/exports/${body.id}`);
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(24 * 3_600_000);
    const response = await fetch(body.url);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename=collaborators-${day}.xlsx`);
    expect(Buffer.from(await response.arrayBuffer())).toHaveLength(body.size);
    expect((await app.admin.get(headers.location!).expect(200)).body).toMatchObject({
      ...body,
      url: expect.any(String),
    });
  });

  test('has typed cells in a workbook, with the import columns first', async () => {
    const { Collaborators: table } = sheetsOf(await runExport(app.admin, 'list', { sort: 'name' }));
    expect(table![0]!.slice(0, 4)).toEqual(['Name', 'Email', 'Position', 'Department']);
    const clara = Object.fromEntries(table![0]!.map((header, at) => [header, table![1]![at]]));
    expect(clara).toMatchObject({
      Name: 'Clara Sousa',
      Phone: '+351 210 000 000',
      'Hire date': 45_351, // 2024-02-29 as a spreadsheet serial date
      Salary: 48_000.5,
      'Manager email': 'rui.almeida@example.com',
      'Manager name': 'Rui Almeida',
      'Manager ID': app.manager.collaborator_id,
      'Work schedule': '007',
      Location: '\'=HYPERLINK("http://x.example")',
      'Emergency contact name': 'Nuno Sousa',
      'Emergency contact relationship': 'brother',
      ID: app.report.collaborator_id,
      Status: 'active',
      Role: 'employee',
    });
  });

  test('has the same as text in CSV, with formulas escaped', async () => {
    const table = await csv(app.admin, { sort: 'name' });
    const clara = Object.fromEntries(table[0]!.map((header, at) => [header, table[1]![at]]));
    expect(clara).toMatchObject({
      Phone: "'+351 210 000 000",
      'Hire date': '2024-02-29',
      Salary: '48000.5',
      Location: '\'=HYPERLINK("http://x.example")',
      'Manager email': 'rui.almeida@example.com',
    });
  });

  test('has the API objects in JSON', async () => {
    const list = JSON.parse((await runExport(app.admin, 'list', { format: 'json', sort: '-name' })).toString());
    const { body } = await app.admin.get('/v1/collaborators').query({ sort: '-name', per_page: 100 }).expect(200);
    expect(list).toEqual(body.data);
  });

  test.each(['-name', 'hire_date,-email'])('keeps the order of the list: %s', async (sort) => {
    const { body } = await app.admin.get('/v1/collaborators').query({ sort, per_page: 100 }).expect(200);
    const names = body.data.map(({ name }: { name: string }) => name);
    expect(column(await csv(app.admin, { sort }), 'Name')).toEqual(names);
  });

  test('applies the filters of the list', async () => {
    const found = async (query: object) => column(await csv(app.admin, query), 'Name').toSorted();
    expect(await found({})).toEqual(everyone);
    expect(await found({ role: 'manager' })).toEqual(['Rui Almeida']);
    expect(await found({ search: 'sousa' })).toEqual(['Clara Sousa']);
    expect(await found({ manager_id: app.manager.collaborator_id })).toEqual(['Clara Sousa']);
    expect(await found({ status: 'inactive' })).toEqual([]);
  });

  test('has only a header row if nobody matches', async () => {
    const { body } = await app.admin.get(path).query({ search: 'nobody', format: 'csv' }).expect(200);
    expect(body).toMatchObject({ row_count: 0, progress: { rows_total: 0, rows_done: 0, percent: 100 } });
    expect(csvOf(await download(body.url))).toHaveLength(1);
    expect((await runExport(app.admin, 'list', { search: 'nobody', format: 'json' })).toString()).toBe('[]\n');
  });

  test('omits deleted people', async () => {
    const person = { name: 'Gone Soon', email: 'gone@example.com', position: 'x', department: 'y' };
    const { body } = await app.admin.post('/v1/collaborators', person).expect(201);
    await app.admin.delete(`/v1/collaborators/${body.id}`).expect(200);
    expect(column(await csv(app.admin), 'Name').toSorted()).toEqual(everyone);
  });
});

describe('chosen fields', () => {
  test('contains only them and the id, in every format', async () => {
    const fields = 'salary,name,manager_id';
    const table = await csv(app.manager, { fields, sort: 'name' });
    expect(table[0]).toEqual(['Name', 'Salary', 'Manager email', 'Manager ID', 'ID', 'Manager name']);
    expect(column(table, 'Manager email')).toEqual(['rui.almeida@example.com', '']);
    const { Collaborators: sheet } = sheetsOf(await runExport(app.manager, 'list', { format: 'xlsx', fields }));
    expect(sheet![0]).toEqual(table[0]);
    const list = JSON.parse((await runExport(app.manager, 'list', { format: 'json', fields })).toString());
    const keys = list.map((each: object) => Object.keys(each).toSorted().join());
    expect(keys.toSorted()).toEqual(['id,manager_id,name,restricted_fields', 'id,manager_id,name,salary']);
  });

  test('accepts as many as a company with 100 custom fields can have', async () => {
    const fields = Array.from({ length: 1_100 }, () => 'name').join();
    expect((await csv(app.admin, { fields }))[0]).toEqual(['Name', 'ID']);
  });

  test('names only unreadable chosen fields in omitted', async () => {
    const omitted = async (fields: string) =>
      (await app.manager.get(path).query({ format: 'csv', fields }).expect(200)).body.omitted;
    expect([await omitted('name,salary'), await omitted('name')]).toEqual([['salary'], []]);
  });

  test('contains custom fields by name or all of them', async () => {
    const keys = ['badge', 'shirt'];
    for (const key of keys)
      await app.admin.post('/v1/custom-fields', { key, type: 'text', label: { default: key } }).expect(201);
    expect((await csv(app.admin, { fields: 'custom_fields.shirt' }))[0]).toEqual(['ID', 'shirt']);
    expect((await csv(app.admin, { fields: 'custom_fields' }))[0]).toEqual(['ID', ...keys]);
    for (const key of keys) await app.admin.delete(`/v1/custom-fields/${key}?confirm=${key}`).expect(202);
  });
});

describe('refuses bad input', () => {
  test.each([
    ['format', 'pdf'],
    ['include_deleted', 'true'],
    ['fields', 'name,shoe_size'],
  ])('rejects %s: %s', async (name, value) => {
    const before = await objects(app);
    const { body } = await app.admin
      .get(path)
      .query({ [name]: value })
      .expect(400);
    expect([body.error, Object.keys(body.details)]).toEqual(['invalid_parameter', [name]]);
    expect(await objects(app)).toEqual(before);
  });
});

describe('data the caller can read', () => {
  test('has no salary column without the scope', async () => {
    const client = await app.as('admin', { scopes: ['exports:read', 'collaborators:read'] });
    const { body } = await client.get(path).query({ format: 'csv' }).expect(200);
    expect(body.omitted).toEqual(['salary']);
    const text = (await download(body.url)).toString();
    expect(csvOf(Buffer.from(text))[0]).not.toContain('Salary');
    expect(maskIds(text)).not.toContain('48000');
    const list = JSON.parse((await runExport(client, 'list', { format: 'json' })).toString());
    expect(list).toHaveLength(4);
    for (const each of list) expect([each.salary, each.restricted_fields]).toEqual([undefined, ['salary']]);
  });

  test('contains a manager’s team with only their own salary, and nobody above', async () => {
    const own = await app.admin.patch(`/v1/collaborators/${app.manager.collaborator_id}`, { salary: 71_000 });
    expect(own.status).toBe(200);
    const { body } = await app.manager.get(path).query({ format: 'csv', sort: 'name' }).expect(200);
    expect(body).toMatchObject({ row_count: 2, omitted: ['salary'] });
    const table = csvOf(await download(body.url));
    expect(column(table, 'Name')).toEqual(['Clara Sousa', 'Rui Almeida']);
    expect(column(table, 'Salary')).toEqual(['', '71000']);
    expect(column(table, 'Emergency contact name')).toEqual(['Nuno Sousa', '']);
    expect(column(table, 'Manager name')).toEqual(['Rui Almeida', '']);
    expect(column(table, 'Manager email')).toEqual(['rui.almeida@example.com', '']);
  });

  test('managers find nobody outside their team by any filter', async () => {
    for (const query of [{ search: 'rocha' }, { role: 'admin' }, { email: 'tomas.rocha@example.com' }]) {
      expect([query, column(await csv(app.admin, query), 'Name').length]).toEqual([query, 1]);
      expect([query, column(await csv(app.manager, query), 'Name')]).toEqual([query, []]);
    }
    expect(column(await csv(app.manager, { department: 'operations', status: 'active' }), 'Name').toSorted()).toEqual([
      'Clara Sousa',
      'Rui Almeida',
    ]);
  });
});

describe('forbidden by role', () => {
  test('rejects employees', async () => {
    const { body } = await app.employee.get(path).expect(403);
    expect(body).toMatchObject({ error: 'forbidden', details: { required_role: 'manager' } });
  });

  test('rejects a token without the scope', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:read'] });
    expect((await client.get(path).expect(403)).body.details).toEqual({ required_scopes: ['exports:read'] });
  });
});

describe('other companies', () => {
  test('get their own people and their own files', async () => {
    expect(column(await csv(app.outsider), 'Name')).toEqual(['Jonas Petersen']);
    const keys = await objects(app);
    expect(keys.filter((key) => key.startsWith(`${app.outsider.company_id}/exports/`))).toHaveLength(1);
  });
});

describe('emits', () => {
  test('emits report.created without anything that leads to the file', async () => {
    const { body } = await app.admin.get(path).query({ format: 'csv' }).expect(200);
    const events = await app.database.query<{ payload: string; idempotency_key: string }>(
      "select payload, idempotency_key from events where name = 'report.created' and idempotency_key = $1",
      [`report-${body.id}`],
    );
    expect(events.map(({ payload }) => JSON.parse(payload))).toEqual([
      {
        id: body.id,
        kind: 'list',
        format: 'csv',
        filename: body.filename,
        row_count: 4,
        created_by: app.admin.user_id,
        created_at: body.completed_at,
        expires_at: body.expires_at,
      },
    ]);
  });

  test('emits and stores nothing if the storage isn’t writable', async () => {
    const broken = await testApp({ STORAGE_URL: 'file:/dev/null/nowhere' });
    try {
      await broken.admin.get(path).expect(503);
      expect(await broken.database.query('select id from exports')).toEqual([]);
      expect(await broken.database.query("select id from events where name = 'report.created'")).toEqual([]);
    } finally {
      await broken.close();
    }
  });
});

test('with more than 20,000 people, returns 202 and a location', async () => {
  // So many people are inserted much faster without the other indexes.
  const indexes = await app.database.query<{ name: string }>(
    "select indexname as name from pg_indexes where tablename = 'collaborators' and indexdef not like 'CREATE UNIQUE%'",
  );
  for (const { name } of indexes) await app.database.query(`drop index ${name}`);
  await addPeople(app, 20_000, app.outsider.company_id); // plus themselves
  const { body, headers } = await app.outsider.get(path).query({ format: 'csv' }).expect(202);
  expect(body).toMatchObject({ status: 'queued', url: null, row_count: null });
  expect(headers).toMatchObject({ location: `/v1/exports/${body.id}`, 'retry-after': '2' });
});
