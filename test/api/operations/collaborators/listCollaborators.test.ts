import { contract } from '../../../../src/contract/contract.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';

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
  test('returns the first page, oldest first, with meta', async () => {
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

  test('pages are complete and don’t overlap', async () => {
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

  test('a page past the end is empty, not an error', async () => {
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
  ])('finds the matching people: %s', async (_, query, expected) => {
    const { body } = await app.admin.get(`${path}?${query}`).expect(200);
    expect(names(body)).toEqual(expected);
    expect(body.meta.total).toBe(expected.length);
  });

  test('managers see their team, employees only themselves', async () => {
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
    ['sort=surname', 'sort', 'invalid_format'],
  ])('rejects %s', async (query, parameter, code) => {
    const { body } = await app.admin.get(`${path}?${query}`).expect(400);
    expect(body.error).toBe('invalid_parameter');
    expect(body.details[parameter].map((error: { code: string }) => error.code)).toContain(code);
  });

  test('reports all invalid parameters at once', async () => {
    const { body } = await app.admin.get(`${path}?page=0&per_page=0&status=x&y=1`).expect(400);
    expect(Object.keys(body.details).sort()).toEqual(['page', 'per_page', 'status', 'y']);
  });

  test('an unknown sort field is answered with those that exist', async () => {
    const { body } = await app.admin.get(`${path}?sort=surname`).expect(400);
    const [, listed] = /: (.+), custom_fields\.<key>\.$/.exec(body.details.sort[0].message)!;
    const [person] = (await app.admin.get(path).expect(200)).body.data;
    const statuses = await Promise.all(
      Object.keys(person).map(async (field) => [field, (await app.admin.get(`${path}?sort=${field}`)).status]),
    );
    const sortable = statuses.filter(([, status]) => status === 200).map(([field]) => field);
    expect(listed!.split(', ').sort()).toEqual(sortable.sort());
  });
});

describe('the cursor form', () => {
  const all = async (query: string, client = app.admin) => {
    const collected: { id: string; name: string; deleted_at?: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const { body } = await client.get(`${path}?limit=3&${query}${next}`).expect(200);
      expect(Object.keys(body)).toEqual(['data', 'pagination']);
      expect(body.pagination.hasMore).toBe(body.pagination.nextCursor !== null);
      collected.push(...body.data);
      cursor = body.pagination.nextCursor;
    }
    return collected;
  };

  test.each([
    '-name',
    'email',
    '-position',
    'hire_date',
    '-hire_date',
    '-status,name',
    'department,-hire_date,name',
    'updated_at',
  ])('sort=%s returns everyone once, in the order of the page form', async (sort) => {
    const pages = await app.admin.get(`${path}?sort=${sort}&per_page=100`).expect(200);
    expect((await all(`sort=${sort}`)).map(({ id }) => id)).toEqual(
      pages.body.data.map(({ id }: { id: string }) => id),
    );
  });

  test('sorts names without regard to accents and case', async () => {
    const { body } = await app.admin.get(`${path}?sort=name`).expect(200);
    expect(names(body)).toEqual([
      'Ana 100% Real',
      'Björn Åström',
      'Clara Sousa',
      'José Ávila',
      'Mariana Duarte',
      'Rui Almeida',
      'Tomás Rocha',
    ]);
  });

  test('unset dates come last, or first in descending order', async () => {
    await app.admin.put(`${path}/${app.report.collaborator_id}`, { hire_date: '2026-01-01' }).expect(200);
    expect(names((await app.admin.get(`${path}?sort=hire_date`)).body)[0]).toBe('Clara Sousa');
    expect(names((await app.admin.get(`${path}?sort=-hire_date`)).body).at(-1)).toBe('Clara Sousa');
  });

  test('a cursor is bound to its company, caller, filters, and sort order', async () => {
    const { body } = await app.admin.get(`${path}?limit=2&sort=name`).expect(200);
    const cursor = body.pagination.nextCursor;
    const refused = async (query: string, client = app.admin) =>
      expect((await client.get(`${path}?cursor=${query}`).expect(400)).body.error).toBe('invalid_cursor');
    await refused(`${cursor}&sort=-name`);
    await refused(`${cursor}`);
    await refused(`${cursor}&sort=name&status=active`);
    await refused(`${cursor}&sort=name`, app.manager);
    await refused(`${cursor}&sort=name`, app.outsider);
    await refused(`${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}&sort=name`);
    await refused('nonsense&sort=name');
    await app.admin.get(`${path}?cursor=${cursor}&sort=name&limit=50`).expect(200);
  });

  test('a name that grows by case folding still fits into a cursor', async () => {
    const ids: string[] = [];
    for (const n of [1, 2]) {
      const person = { name: '\ufdfa'.repeat(200), email: `long${n}@example.com`, position: 'x', department: 'long' };
      ids.push((await app.outsider.post(path, person).expect(201)).body.id);
    }
    const query = `${path}?limit=1&sort=-name,-department,-position`;
    const { body } = await app.outsider.get(query).expect(200);
    await app.outsider.get(`${query}&cursor=${body.pagination.nextCursor}`).expect(200);
    for (const id of ids) await app.outsider.delete(`${path}/${id}`).expect(200);
  });

  test('the longest cursor fits the contract’s limit, and its URL isn’t too long', async () => {
    const ids: string[] = [];
    for (const n of [1, 2]) {
      const texts = { name: '😀'.repeat(200), position: '😀'.repeat(200), department: '😀'.repeat(200) };
      const email = `${n}${'x'.repeat(60)}@${'long-label-of-a-domain.'.repeat(7)}example.com`;
      ids.push((await app.outsider.post(path, { ...texts, email }).expect(201)).body.id);
    }
    const all = '-name,-email,-department,-position,-hire_date,-status,-created_at,-updated_at';
    const { Cursor } = contract.components.parameters as { Cursor: { schema: { maxLength: number } } };
    const { maxLength } = Cursor.schema;
    for (const sort of [all, `-name${',-name'.repeat(7)}`]) {
      const { body } = await app.outsider.get(`${path}?limit=1&sort=${sort}`).expect(200);
      const { nextCursor } = body.pagination;
      expect(nextCursor.length).toBeLessThan(maxLength);
      const next = await app.outsider.get(`${path}?limit=1&sort=${sort}&cursor=${nextCursor}`).expect(200);
      expect(next.body.data).toHaveLength(1);
      if (sort === all) expect(nextCursor.length).toBeGreaterThan(maxLength / 2);
    }
    for (const id of ids) await app.outsider.delete(`${path}/${id}`).expect(200);
  });

  test('rejects cursor and page parameters together', async () => {
    for (const query of ['limit=1&page=1', 'cursor=x&per_page=2', 'limit=2&per_page=2']) {
      expect((await app.admin.get(`${path}?${query}`).expect(400)).body.error).toBe('pagination_conflict');
    }
  });
});

describe('filters', () => {
  beforeAll(async () => {
    const ana = (await app.admin.get(`${path}?search=Ana 100`)).body.data[0].id;
    await app.admin.put(`${path}/${ana}`, { location: 'Lisboa' }).expect(200);
  });

  test.each([
    ['role=manager', ['Rui Almeida']],
    ['location=LISBOA', ['Ana 100% Real']],
    ['role=employee&status=active', ['Clara Sousa', 'Tomás Rocha']],
    ['manager_id=nobody', []],
  ])('filters by %s', async (query, expected) => {
    const { body } = await app.admin.get(`${path}?${query}`).expect(200);
    expect(names(body)).toEqual(expected);
    expect(body.meta.total).toBe(expected.length);
  });

  test('has_manager selects people with or without a manager', async () => {
    const listed = async (query: string) => {
      const { body } = await app.admin.get(`${path}?${query}`).expect(200);
      return {
        total: (body.meta ?? body.pagination).total,
        managers: body.data.map((each: Listed) => each.manager_id),
      };
    };
    type Listed = { manager_id: string | null };
    const all = await listed('per_page=100');
    const without = await listed('has_manager=false&per_page=100');
    const within = await listed('has_manager=true&limit=100');
    expect(without.total).toBeGreaterThan(0);
    expect(without.total + within.total).toBe(all.total);
    expect(without.managers.every((id: string | null) => id === null)).toBe(true);
    expect(within.managers).not.toContain(null);
    await app.admin.get(`${path}?has_manager=maybe`).expect(400);
  });

  test('manager_id selects direct reports', async () => {
    const { body } = await app.admin.get(`${path}?manager_id=${app.manager.collaborator_id}`).expect(200);
    expect(names(body)).toEqual(['Clara Sousa']);
  });

  test('a delta sync returns changes, and tombstones of deleted people', async () => {
    const person = { name: 'Gone Soon', email: 'gone@example.com', position: 'x', department: 'y' };
    const { id } = (await app.admin.post(path, person).expect(201)).body;
    const since = new Date().toISOString();
    await app.admin.delete(`${path}/${id}`).expect(200);
    await app.admin.put(`${path}/${app.report.collaborator_id}`, { phone: '+351 77' }).expect(200);
    for (const form of ['', '&limit=50']) {
      const { body } = await app.admin.get(`${path}?updated_since=${since}&include_deleted=true${form}`).expect(200);
      expect(body.data).toContainEqual({ id, deleted_at: expect.any(String) });
      expect(names(body)).toContain('Clara Sousa');
      expect(body.data).toHaveLength(2);
    }
    const { body } = await app.admin.get(`${path}?updated_since=${since}`).expect(200);
    expect(names(body)).toEqual(['Clara Sousa']);
  });

  test.each([
    'sort=-emergency_contact',
    'sort=',
    'sort=name;email',
    'salary=1',
    'updated_since=yesterday',
    'include_deleted=maybe',
    'limit=101',
    'limit=0',
    'from=x&to=y&allowed=z&required_scopes=1&required_role=2', // keys from the details of other errors
  ])('rejects %s', async (query) => {
    expect((await app.admin.get(`${path}?${query}`).expect(400)).body.error).toBe('invalid_parameter');
  });

  test.each(['0000-01-01T00:00:00Z', '2016-12-31T23:59:60Z'])(
    'accepts updated_since %s, a date that some calendars lack',
    async (since) => {
      const { body } = await app.admin.get(`${path}?updated_since=${since}`).expect(200);
      expect(body.meta.total).toBeGreaterThan(4);
    },
  );

  test('never filters, sorts, or searches by salary', async () => {
    for (const client of [app.admin, app.manager]) {
      expect((await client.get(`${path}?search=48000`).expect(200)).body.data).toEqual([]);
      for (const query of ['sort=salary', 'sort=-salary', 'salary=48000.5', 'salary[gte]=1']) {
        expect((await client.get(`${path}?${query}`).expect(400)).body.error).toBe('invalid_parameter');
      }
    }
  });
});

describe('forbidden by role', () => {
  test('rejects a token without the scope', async () => {
    const client = await app.as('admin', { scopes: ['profile'] });
    const { body } = await client.get(path).expect(403);
    expect(body.error).toBe('insufficient_scope');
  });
});

describe('invisible to another company', () => {
  test('other companies list only their own people', async () => {
    const { body } = await app.outsider.get(path).expect(200);
    expect(names(body)).toEqual(['Jonas Petersen']);
    expect(body.meta.total).toBe(1);
  });
});
