import { type TestApp, testApp } from '../../helpers/app.ts';

const path = '/v1/collaborators';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  const people = [
    ['José Ávila', 'jose.avila@example.com', 'Driver', 'Fleet'],
    ['Björn Åström', 'bjorn@example.com', 'Driver', 'fleet'],
    ['Ana 100% Real', 'ana_x@example.com', 'Quality_Lead', 'Fleet'],
  ];
  for (const [name, email, position, department] of people) {
    await app.admin.post(path, { name, email, position, department }).expect(201);
  }
});
afterAll(() => app.close());

const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

describe('succeeds', () => {
  test('the first page, oldest first, with meta', async () => {
    const { body } = await app.admin.get(path).expect(200);
    expect(names(body)).toEqual([
      'Mariana Duarte',
      'Rui Almeida',
      'Clara Sousa',
      'Tomás Rocha',
      'José Ávila',
      'Björn Åström',
      'Ana 100% Real',
    ]);
    expect(body.meta).toEqual({ total: 7, page: 1, per_page: 20, total_pages: 1, has_next: false, has_prev: false });
  });

  test('pages are whole and do not overlap', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => app.admin.get(`${path}?page=${page}&per_page=3`).expect(200)),
    );
    expect(pages.map(({ body }) => body.data.length)).toEqual([3, 3, 1]);
    expect(new Set(pages.flatMap(({ body }) => names(body))).size).toBe(7);
    expect(pages[1]!.body.meta).toEqual({
      total: 7,
      page: 2,
      per_page: 3,
      total_pages: 3,
      has_next: true,
      has_prev: true,
    });
  });

  test('past the end: empty, not an error', async () => {
    const { body } = await app.admin.get(`${path}?page=9`).expect(200);
    expect(body).toMatchObject({
      data: [],
      meta: { total: 7, page: 9, total_pages: 1, has_next: false, has_prev: true },
    });
  });

  test.each([
    ['department, in any case', 'department=FLEET', ['José Ávila', 'Björn Åström', 'Ana 100% Real']],
    ['status', 'status=pending&department=fleet', ['José Ávila', 'Björn Åström', 'Ana 100% Real']],
    ['search in a name, without accents', 'search=jose', ['José Ávila']],
    ['search with accents and case', 'search=ÅSTRÖM', ['Björn Åström']],
    ['search with a combining mark', `search=${encodeURIComponent('jose\u0301')}`, ['José Ávila']],
    ['search in an address', 'search=bjorn%40', ['Björn Åström']],
    ['search in a position', 'search=driver', ['José Ávila', 'Björn Åström']],
    ['a percent sign is only itself', 'search=100%25', ['Ana 100% Real']],
    ['an underscore is only itself', 'search=y_l', ['Ana 100% Real']],
    ['a backslash is only itself', 'search=%5C', []],
    ['a fullwidth percent sign is one too', `search=${encodeURIComponent('0％')}`, ['Ana 100% Real']],
    ['one letter', 'search=å&department=Fleet', ['José Ávila', 'Björn Åström', 'Ana 100% Real']],
  ])('%s', async (_, query, expected) => {
    const { body } = await app.admin.get(`${path}?${query}`).expect(200);
    expect(names(body)).toEqual(expected);
    expect(body.meta.total).toBe(expected.length);
  });

  test('a manager sees the team, an employee only themselves', async () => {
    const team = await app.manager.get(path).expect(200);
    expect(names(team.body)).toEqual(['Rui Almeida', 'Clara Sousa']);
    expect(team.body.data[1].restricted_fields).toEqual(['salary']);
    expect(team.body.data[0]).toHaveProperty('salary'); // their own
    const self = await app.employee.get(path).expect(200);
    expect(names(self.body)).toEqual(['Tomás Rocha']);
    expect(self.body.meta.total).toBe(1);
  });
});

describe('refuses bad input', () => {
  test.each([
    ['page=0', 'page', 'out_of_range'],
    ['page=two', 'page', 'invalid_type'],
    ['per_page=101', 'per_page', 'out_of_range'],
    ['per_page=1.5', 'per_page', 'invalid_type'],
    ['status=retired', 'status', 'not_in_enum'],
    ['search=', 'search', 'too_short'],
    [`search=${'x'.repeat(101)}`, 'search', 'too_long'],
    ['search=%00', 'search', 'invalid_format'],
    ['page=1&page=2', 'page', 'invalid_type'],
    ['sorting=name', 'sorting', 'field_not_allowed'],
  ])('%s', async (query, parameter, code) => {
    const { body } = await app.admin.get(`${path}?${query}`).expect(400);
    expect(body.error).toBe('invalid_parameter');
    expect(body.details[parameter].map((error: { code: string }) => error.code)).toContain(code);
  });

  test('all of them at once', async () => {
    const { body } = await app.admin.get(`${path}?page=0&per_page=0&status=x&y=1`).expect(400);
    expect(Object.keys(body.details).sort()).toEqual(['page', 'per_page', 'status', 'y']);
  });
});

describe('forbidden by role', () => {
  test('a token without the scope', async () => {
    const client = await app.as('admin', { scopes: ['profile'] });
    const { body } = await client.get(path).expect(403);
    expect(body.error).toBe('insufficient_scope');
  });
});

describe('invisible to another company', () => {
  test('the other company’s list holds only its own', async () => {
    const { body } = await app.outsider.get(path).expect(200);
    expect(names(body)).toEqual(['Jonas Petersen']);
    expect(body.meta.total).toBe(1);
  });
});
