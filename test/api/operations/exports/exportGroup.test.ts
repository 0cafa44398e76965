import { createStorage } from '../../../../src/platform/files/context.ts';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { maskIds } from '../../../helpers/contract/mask-ids.ts';
import { column, download, exportPaths, sheetsOf } from '../../../helpers/resources/exports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  const people = [
    { name: 'Zora Fleet', department: 'Fleet', location: 'Lisboa' },
    { name: 'Abel Fleet', department: 'fleet', location: null },
    { name: 'Cora Fleet', department: 'Fleet', location: 'Porto' },
    { name: 'Ron Lab', department: 'R&D / Lab [x]', location: '=1+1' },
    { name: 'Hans History', department: 'History', location: null, manager_id: app.manager.collaborator_id },
  ];
  for (const [n, person] of people.entries()) {
    const rest = { email: `p${n}@example.com`, position: 'Planner' };
    await app.admin.post('/v1/collaborators', { ...rest, ...person }).expect(201);
  }
});
afterAll(() => app.close());

const path = exportPaths.group;

async function sheets(client: TestClient, query: object = {}) {
  const { body } = await client.get(path).query(query).expect(200);
  return sheetsOf(await download(body));
}

describe('succeeds', () => {
  test('returns the file URL and the location of the export', async () => {
    const { text, headers } = await app.admin.get(path).expect(200);
    const url = JSON.parse(text);
    expect(url).toMatch(/^http:.*\/files\/[\w-]+$/);
    const { body } = await app.admin.get(headers.location!).expect(200);
    expect(body).toMatchObject({
      kind: 'group',
      format: 'xlsx',
      status: 'completed',
      filename: 'collaborators-by-department.xlsx',
      row_count: 9,
      size: (await download(url)).length,
      omitted: [],
    });
  });

  test('has a sheet per department regardless of spelling, and a summary', async () => {
    const book = await sheets(app.admin);
    expect(Object.keys(book)).toEqual(['Summary', 'Fleet', 'History sheet', 'Operations', 'R&D Lab x']);
    expect(book.Summary).toEqual([
      ['Department', 'Collaborators', 'Active', 'Pending', 'Inactive', 'Sheet'],
      ['Fleet', 3, 0, 3, 0, 'Fleet'],
      ['History', 1, 0, 1, 0, 'History sheet'],
      ['Operations', 4, 4, 0, 0, 'Operations'],
      ['R&D / Lab [x]', 1, 0, 1, 0, 'R&D Lab x'],
    ]);
    expect(column(book.Fleet!, 'Name')).toEqual(['Abel Fleet', 'Cora Fleet', 'Zora Fleet']);
    expect(column(book.Operations!, 'Salary')).toEqual([48_000.5, undefined, undefined, 39_500]);
    expect(column(book['R&D Lab x']!, 'Location')).toEqual(["'=1+1"]);
  });

  test.each([
    ['location', ["'=1+1", 'Lisboa', 'Porto', 'No location'], [1, 1, 1, 6]],
    ['position', ['Planner'], [9]],
    ['status', ['Active', 'Pending'], [4, 5]],
    ['role', ['Admin', 'Employee', 'Manager'], [1, 7, 1]],
    ['manager', ['Mariana Duarte', 'Rui Almeida', 'No manager'], [2, 2, 5]],
  ])('groups by %s', async (groupBy, titles, counts) => {
    const { Summary: summary, ...others } = await sheets(app.admin, { group_by: groupBy });
    expect(summary!.slice(1).map(([title]) => title)).toEqual(titles);
    expect(column(summary!, 'Collaborators')).toEqual(counts);
    const plain = (text: unknown) => String(text).replace(/^'=/, '='); // a sheet name isn't a cell, so it isn't escaped
    expect(Object.keys(others)).toEqual(column(summary!, 'Sheet').map(plain));
    expect(Object.values(others).map((table) => table.length - 1)).toEqual(counts);
    const names = Object.values(others).flatMap((table) => column(table, 'Name'));
    expect(new Set(names).size).toBe(9);
  });

  test('applies the filters of the list', async () => {
    const book = await sheets(app.admin, { search: 'fleet', group_by: 'location' });
    expect(column(book.Summary!, 'Location')).toEqual(['Lisboa', 'Porto', 'No location']);
    const none = await sheets(app.admin, { search: 'nobody' });
    expect([Object.keys(none), none.Summary!.length]).toEqual([['Summary'], 1]);
  });

  test('treats two managers of the same name as two groups', async () => {
    const twin = { name: 'Rui Almeida', email: 'rui2@example.com', position: 'x', department: 'Twins' };
    const { body } = await app.admin.post('/v1/collaborators', twin).expect(201);
    const report = { name: 'Under Twin', email: 'under@example.com', position: 'x', department: 'Twins' };
    const under = await app.admin.post('/v1/collaborators', { ...report, manager_id: body.id }).expect(201);
    const book = await sheets(app.admin, { group_by: 'manager', department: 'Twins' });
    expect(column(book.Summary!, 'Manager')).toEqual(['Rui Almeida', 'No manager']);
    const all = await sheets(app.admin, { group_by: 'manager' });
    expect(Object.keys(all)).toEqual(['Summary', 'Mariana Duarte', 'Rui Almeida', 'Rui Almeida (2)', 'No manager']);
    for (const { id } of [under.body, body]) await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
  });

  test('with more than 200 groups, combines the smallest', async () => {
    const ids = await app.database.query<{ id: string }>(
      `insert into collaborators (company_id, id, name, email, position, department)
       select $1, gen_random_uuid(), 'Person ' || n, n || '@example.com', 'x', 'Dept ' || n % 202
       from generate_series(1, 402) n returning id`,
      [app.outsider.company_id],
    );
    const { Summary: summary, ...others } = await sheets(app.outsider, { search: 'person' });
    await app.database.query('delete from collaborators where id = any($1)', [ids.map(({ id }) => id)]);
    expect(summary).toHaveLength(1 + 202);
    expect(Object.keys(others)).toHaveLength(200);
    expect(Object.keys(others).at(-1)).toBe('Other groups');
    // Departments 1 to 200 have 2 people, and 0 and 201 have 1.
    expect(column(summary!, 'Sheet').filter((name) => name === 'Other groups')).toHaveLength(3);
    const sizes = Object.values(others).map((table) => table.length - 1);
    expect(sizes).toEqual([...Array(199).fill(2), 4]);
    const names = Object.values(others).flatMap((table) => column(table, 'Name'));
    expect(new Set(names).size).toBe(402);
  });
});

describe('refuses bad input', () => {
  test.each([
    ['group_by', 'salary'],
    ['format', 'csv'],
    ['sort', 'name'],
  ])('rejects %s: %s', async (name, value) => {
    const { body } = await app.admin
      .get(path)
      .query({ [name]: value })
      .expect(400);
    expect(Object.keys(body.details)).toEqual([name]);
  });
});

describe('data the caller can read', () => {
  test('has no salaries without the scope', async () => {
    const client = await app.as('admin', { scopes: ['exports:read'] });
    const { body, headers } = await client.get(path).expect(200);
    const { Summary: _, ...groups } = sheetsOf(await download(body));
    expect(Object.keys(groups)).toContain('Operations');
    for (const [header] of Object.values(groups)) {
      expect(header).toContain('Name');
      expect(header).not.toContain('Salary');
    }
    expect((await client.get(headers.location!).expect(200)).body.omitted).toEqual(['salary']);
  });

  test('contains a manager’s team, but nobody above', async () => {
    const book = await sheets(app.manager, { group_by: 'manager' });
    expect(book.Summary!.slice(1).map(([title, count]) => [title, count])).toEqual([
      ['Rui Almeida', 2],
      ['Another manager', 1],
    ]);
    expect(maskIds(JSON.stringify(book))).not.toMatch(/Mariana|48000/);
  });
});

describe('forbidden by role', () => {
  test('rejects employees', async () => {
    expect((await app.employee.get(path).expect(403)).body.error).toBe('forbidden');
  });
});

describe('other companies', () => {
  test('get only their own people', async () => {
    const book = await sheets(app.outsider);
    expect(column(book.Operations!, 'Name')).toEqual(['Jonas Petersen']);
  });
});

describe('download URL', () => {
  /** An export before a worker runs it. */
  const unfinished = async (set: string) => {
    const { body, headers } = await app.admin.get(path).expect(200);
    const id = headers.location!.split('/').at(-1);
    const [row] = await app.database.query<{ key: string }>(`update exports set ${set} where id = $1 returning key`, [
      id,
    ]);
    await createStorage(app.config).remove(row!.key);
    return body as string;
  };

  test('returns 202 with the progress until the workbook is ready', async () => {
    const url = await unfinished(
      "status = 'processing', due_at = now() + interval '1 hour', rows_total = 8, rows_done = 2",
    );
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(url, { method });
      expect(response.status).toBe(202);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-type')).toMatch('application/json');
      const body = { status: 'processing', progress: { rows_total: 8, rows_done: 2, percent: 25 } };
      expect(await response.text()).toBe(method === 'GET' ? JSON.stringify(body) : '');
    }
  });

  test('returns 404 if the export failed or is gone', async () => {
    const failed = await unfinished("status = 'failed', due_at = null, failure_message = 'x'");
    expect((await fetch(failed)).status).toBe(404);
    const expired = await unfinished("status = 'queued', due_at = now() + interval '1 hour'");
    expect((await fetch(expired)).status).toBe(202);
    await app.database.query('delete from exports');
    expect((await fetch(expired)).status).toBe(404);
  });
});

test('emits report.created', async () => {
  const { headers } = await app.admin.get(path).query({ group_by: 'role' }).expect(200);
  const id = headers.location!.split('/').at(-1);
  const [event] = await app.database.query<{ payload: string }>(
    "select payload from events where name = 'report.created' and idempotency_key = $1",
    [`report-${id}`],
  );
  const filename = 'collaborators-by-role.xlsx';
  expect(JSON.parse(event!.payload)).toMatchObject({ id, kind: 'group', format: 'xlsx', filename, row_count: 9 });
});
