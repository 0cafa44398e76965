import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { addApp } from '../../../helpers/resources/apps.ts';

let app: TestApp;
let ids: string[];
beforeAll(async () => {
  app = await testApp();
  ids = [];
  for (const minute of [1, 2, 2]) ids.push(await addApp(app, { created_at: `2026-01-01T00:0${minute}:00.000Z` }));
});
afterAll(() => app.close());

describe('succeeds', () => {
  test('lists the oldest first, in pages', async () => {
    const first = (await app.admin.get('/v1/apps?limit=2').expect(200)).body;
    expect(first.pagination).toMatchObject({ hasMore: true });
    const rest = (await app.admin.get(`/v1/apps?limit=2&cursor=${first.pagination.nextCursor}`).expect(200)).body;
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
    expect(rest.pagination).toEqual({ hasMore: false, nextCursor: null });
    expect(JSON.stringify([first, rest])).not.toMatch(/_hash|earlier|client_secret|cma_cs_/);
  });

  test('omits deleted apps', async () => {
    const id = await addApp(app);
    await app.admin.delete(`/v1/apps/${id}`).expect(200);
    expect((await app.admin.get('/v1/apps').expect(200)).body.data).toHaveLength(ids.length);
  });
});

describe('refuses bad input', () => {
  test.each(['limit=0', 'limit=101', 'cursor=nothing', 'page=1'])('rejects %s', async (query) => {
    await app.admin.get(`/v1/apps?${query}`).expect(400);
  });
});

describe('invisible to another company', () => {
  test('other companies see only their own apps', async () => {
    const own = await addApp({ database: app.database, company_id: app.outsider.company_id });
    const idsOf = async (client: TestClient) =>
      (await client.get('/v1/apps').expect(200)).body.data.map(({ id }: { id: string }) => id);
    expect(await idsOf(app.outsider)).toEqual([own]);
    expect(await idsOf(app.admin)).toEqual(ids);
  });
});
