import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { clearFields, defineField, fieldsPath } from '../../../helpers/resources/custom-fields.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => clearFields(app));

interface Page {
  data: { key: string; position: number }[];
  pagination: { hasMore: boolean; nextCursor: string | null };
}

async function page(client: TestClient, query: Record<string, string | number | boolean> = {}): Promise<Page> {
  return (await client.get(fieldsPath).query(query).expect(200)).body;
}

const keys = async (client: TestClient, query = {}) => (await page(client, query)).data.map(({ key }) => key);

describe('succeeds', () => {
  test('returns the definitions in order', async () => {
    const first = await defineField(app.admin, { key: 'zebra', type: 'text' });
    const second = await defineField(app.admin, { key: 'apple', type: 'number', read: 'manager' });
    expect(await page(app.admin)).toEqual({ data: [first, second], pagination: { hasMore: false, nextCursor: null } });
  });

  test('is empty without fields', async () => {
    expect(await page(app.admin)).toEqual({ data: [], pagination: { hasMore: false, nextCursor: null } });
  });

  test('pages of any size return each field once', async () => {
    const all = Array.from({ length: 7 }, (_, at) => `field_${at}`);
    for (const key of all) await defineField(app.admin, { key, type: 'text' });
    for (const limit of [1, 3, 7, 8]) {
      const walked: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { data, pagination } = await page(app.admin, cursor ? { limit, cursor } : { limit });
        walked.push(...data.map(({ key }) => key));
        cursor = pagination.nextCursor;
      }
      expect(walked).toEqual(all);
    }
  });

  test('admins can include archived fields, and those being deleted', async () => {
    for (const key of ['kept', 'archived', 'deleted']) {
      await defineField(app.admin, { key, type: 'text', read: 'employee' });
    }
    await app.admin.patch(`${fieldsPath}/archived`, { archived: true }).expect(200);
    await app.admin.delete(`${fieldsPath}/deleted?confirm=deleted`).expect(202);
    expect(await keys(app.admin)).toEqual(['kept']);
    const { data } = await page(app.admin, { include_archived: true });
    expect(data).toMatchObject([
      { key: 'kept', position: 1, archived: false, deletion: null },
      { key: 'archived', position: 2, archived: true, deletion: null },
      { key: 'deleted', position: 3, deletion: { people_done: 0 } },
    ]);
    for (const client of [app.manager, app.employee]) {
      expect(await keys(client, { include_archived: true })).toEqual(['kept']);
    }
  });

  test('each role sees the fields it can read', async () => {
    for (const read of ['admin', 'manager', 'employee'] as const) {
      await defineField(app.admin, { key: `of_${read}`, type: 'text', read });
    }
    expect(await keys(app.admin)).toEqual(['of_admin', 'of_manager', 'of_employee']);
    expect(await keys(app.manager)).toEqual(['of_manager', 'of_employee']);
    expect(await keys(app.employee)).toEqual(['of_employee']);
    expect(await keys(app.outsider)).toEqual([]);
  });
});

test.each([
  ['limit=0', 'limit', 'out_of_range'],
  ['limit=101', 'limit', 'out_of_range'],
  ['include_archived=perhaps', 'include_archived', 'invalid_type'],
  ['status=active', 'status', 'field_not_allowed'],
])('rejects %s', async (query, parameter, code) => {
  const { body } = await app.admin.get(`${fieldsPath}?${query}`).expect(400);
  expect(body.error).toBe('invalid_parameter');
  expect(body.details[parameter].map((error: { code: string }) => error.code)).toEqual([code]);
});

test('a cursor works only with the list it came from', async () => {
  for (const key of ['one', 'two']) await defineField(app.admin, { key, type: 'text', read: 'employee' });
  const { pagination } = await page(app.admin, { limit: 1 });
  for (const [client, query] of [
    [app.manager, { cursor: pagination.nextCursor }],
    [app.admin, { cursor: pagination.nextCursor, include_archived: true }],
    [app.admin, { cursor: 'nonsense' }],
  ] as const) {
    expect((await client.get(fieldsPath).query(query).expect(400)).body.error).toBe('invalid_cursor');
  }
});
