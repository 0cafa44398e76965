/** Filters of lists and exports for each role, with the same totals in both pagination forms. */
import { type TestApp, testApp } from '../../helpers/app.ts';

const path = '/v1/collaborators';
let app: TestApp;
/** Reporting chain below the manager: report, deep, deeper. */
const ids = { deep: '', deeper: '' };
beforeAll(async () => {
  app = await testApp();
  ids.deep = await add('Deep', app.report.collaborator_id);
  ids.deeper = await add('Deeper', ids.deep);
});
afterAll(() => app.close());

async function add(name: string, managerId: string): Promise<string> {
  const email = `${name.toLowerCase()}+work@example.com`;
  const person = { name: `${name} Person`, email, position: 'x', department: 'y', manager_id: managerId };
  return (await app.admin.post(path, person).expect(201)).body.id;
}

const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

/** The result of a query, which must agree in both pagination forms. */
async function found(query: string, client = app.admin): Promise<string[]> {
  const { body } = await client.get(`${path}?${query}`).expect(200);
  expect(body.meta.total).toBe(body.data.length);
  const { body: first } = await client.get(`${path}?${query}&limit=100`).expect(200);
  expect(first.data.map(({ id }: { id: string }) => id)).toEqual(body.data.map(({ id }: { id: string }) => id));
  expect(first.pagination).toEqual({ hasMore: false, nextCursor: null, total: body.meta.total });
  return names(body);
}

/** The number of people in a group export. */
async function groupedRows(query: string): Promise<number> {
  const { headers } = await app.admin.get(`${path}/export-excel/group?${query}`).expect(200);
  return (await app.admin.get(headers.location!).expect(200)).body.row_count;
}

describe('email', () => {
  test.each([
    ['deep%2Bwork@example.com', ['Deep Person']],
    ['DEEP%2bWORK@Example.COM', ['Deep Person']],
    ['deep', []],
    ['nobody@example.com', []],
  ])('finds by %s', async (email, expected) => {
    expect(await found(`email=${email}`)).toEqual(expected);
  });

  test('finds nobody out of reach', async () => {
    expect(await found('email=deep%2Bwork@example.com', app.manager)).toEqual(['Deep Person']);
    expect(await found('email=deep%2Bwork@example.com', app.employee)).toEqual([]);
    expect(await found('email=deep%2Bwork@example.com', app.outsider)).toEqual([]);
  });
});

describe.each(['external_id', 'employee_number'])('%s', (field) => {
  test('finds exact matches', async () => {
    await app.admin.patch(`${path}/${ids.deep}`, { [field]: 'hr:00 17+a' }).expect(200);
    expect(await found(`${field}=hr%3A00%2017%2Ba`)).toEqual(['Deep Person']);
    expect(await found(`${field}=HR%3A00%2017%2Ba`)).toEqual([]);
    expect(await found(`${field}=hr`)).toEqual([]);
    expect(await found(`${field}=hr%3A00%2017%2Ba`, app.manager)).toEqual(['Deep Person']);
    expect(await found(`${field}=hr%3A00%2017%2Ba`, app.employee)).toEqual([]);
    expect(await found(`${field}=hr%3A00%2017%2Ba`, app.outsider)).toEqual([]);
    const exported = await app.admin.get(`${path}/export/list?format=json&${field}=hr%3A00%2017%2Ba`).expect(200);
    expect(exported.body.row_count).toBe(1);
    expect(await groupedRows(`${field}=hr%3A00%2017%2Ba`)).toBe(1);
  });

  test.each(['', '%00', 'x'.repeat(256)])('rejects %s', async (value) => {
    expect((await app.admin.get(`${path}?${field}=${value}`).expect(400)).body.error).toBe('invalid_parameter');
  });
});

describe('reports', () => {
  const below = (id: string, reports = 'all') => `manager_id=${id}&reports=${reports}`;

  test('finds reports at any depth, without the manager', async () => {
    const team = ['Clara Sousa', 'Deep Person', 'Deeper Person'];
    expect(await found(below(app.manager.collaborator_id))).toEqual(team);
    expect(await found(below(app.manager.collaborator_id, 'direct'))).toEqual(['Clara Sousa']);
    expect(await found(below(ids.deep))).toEqual(['Deeper Person']);
    expect(await found(below(ids.deeper))).toEqual([]);
    expect(await found(below('nobody'))).toEqual([]);
    expect(await found(`${below(app.manager.collaborator_id)}&search=deep`)).toEqual(team.slice(1));
  });

  test('managers find people below their team, but nobody through people above or next to them', async () => {
    expect(await found(below(app.report.collaborator_id), app.manager)).toEqual(['Deep Person', 'Deeper Person']);
    expect(await found(below(app.manager.collaborator_id), app.manager)).toHaveLength(3);
    const { body } = await app.admin.get(`${path}/${app.manager.collaborator_id}`).expect(200);
    expect(body.manager_id).toBe(app.admin.collaborator_id);
    for (const id of [app.admin.collaborator_id, app.employee.collaborator_id]) {
      expect(await found(below(id), app.manager)).toEqual([]);
    }
  });

  test('employees find nobody, and don’t learn who is above them', async () => {
    for (const id of [app.admin.collaborator_id, app.employee.collaborator_id]) {
      expect(await found(below(id), app.employee)).toEqual([]);
    }
    expect(await found(below(app.manager.collaborator_id), app.outsider)).toEqual([]);
  });

  test('includes deleted people on request', async () => {
    const id = await add('Gone', ids.deep);
    await app.admin.delete(`${path}/${id}`).expect(200);
    const query = below(app.manager.collaborator_id);
    const { body } = await app.admin.get(`${path}?${query}&include_deleted=true`).expect(200);
    expect(body.data).toContainEqual({ id, deleted_at: expect.any(String) });
    expect(body.meta.total).toBe(4);
    expect(await found(query)).toHaveLength(3);
  });

  test.each(['', '/export/list', '/export-excel/group', '/export/group'])(
    'returns 400 for an unknown person (%s)',
    async (operation) => {
      for (const reports of ['all', 'direct']) {
        const { body } = await app.admin.get(`${path}${operation}?reports=${reports}`).expect(400);
        expect(body).toMatchObject({ error: 'invalid_parameter', details: { manager_id: [{ code: 'required' }] } });
      }
    },
  );
});

test('exports apply the filters', async () => {
  const counted = async (query: string) =>
    (await app.admin.get(`${path}/export/list?format=json&${query}`).expect(200)).body.row_count;
  expect(await counted('email=deep%2Bwork@example.com')).toBe(1);
  expect(await counted(`manager_id=${app.manager.collaborator_id}&reports=all`)).toBe(3);
  expect(await groupedRows(`manager_id=${app.manager.collaborator_id}&reports=all`)).toBe(3);
});

test('a cursor is bound to these filters too', async () => {
  const query = `${path}?limit=1&manager_id=${app.manager.collaborator_id}`;
  const { body } = await app.admin.get(`${query}&reports=all`).expect(200);
  const { nextCursor, total } = body.pagination;
  expect(total).toBe(3);
  const next = await app.admin.get(`${query}&reports=all&cursor=${nextCursor}`).expect(200);
  expect(next.body.pagination.total).toBe(3);
  for (const other of ['', '&reports=direct', '&reports=all&email=x']) {
    expect((await app.admin.get(`${query}${other}&cursor=${nextCursor}`).expect(400)).body.error).toBe(
      'invalid_cursor',
    );
  }
});

describe('pagination.total', () => {
  test('counts all matches, not the remaining ones', async () => {
    const { total } = (await app.admin.get(path).expect(200)).body.meta;
    let cursor = '';
    for (let read = 0; read < 3; read++) {
      const { body } = await app.admin.get(`${path}?limit=1${cursor}`).expect(200);
      expect(body.pagination.total).toBe(total);
      cursor = `&cursor=${body.pagination.nextCursor}`;
    }
    const search = await app.admin.get(`${path}?limit=1&search=person`).expect(200);
    expect(search.body.pagination.total).toBe(2);
    const rest = await app.admin.get(`${path}?search=person&cursor=${search.body.pagination.nextCursor}`).expect(200);
    expect(rest.body).toMatchObject({ data: [{ name: 'Deeper Person' }], pagination: { total: 2 } });
  });

  test('is omitted after the first page of a long filtered list', async () => {
    const { company_id: companyId } = app.outsider;
    const query = `${path}?limit=100&department=crowd`;
    await app.database.query(
      `insert into collaborators (company_id, id, name, email, position, department, status)
       select $1, gen_random_uuid(), 'One', 'one' || n || '@crowd.example', 'x', 'Crowd', 'active'
       from generate_series(1, 10000) n`,
      [companyId],
    );
    const { pagination } = (await app.outsider.get(query).expect(200)).body;
    expect(pagination.total).toBe(10_000);
    const next = `${query}&cursor=${pagination.nextCursor}`;
    expect((await app.outsider.get(next).expect(200)).body.pagination.total).toBe(10_000);
    const person = { name: 'Another', email: 'another@crowd.example', position: 'x', department: 'crowd' };
    await app.outsider.post(path, person).expect(201);
    expect((await app.outsider.get(next).expect(200)).body.pagination).not.toHaveProperty('total');
    expect((await app.outsider.get(query).expect(200)).body.pagination.total).toBe(10_001);
    const whole = await app.outsider.get(`${path}?limit=1`).expect(200);
    const { nextCursor } = whole.body.pagination;
    expect((await app.outsider.get(`${path}?cursor=${nextCursor}`).expect(200)).body.pagination).toHaveProperty(
      'total',
    );
  });
});
