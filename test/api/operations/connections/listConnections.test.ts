import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addConnection } from '../../../helpers/database/connections.ts';
import { addApp } from '../../../helpers/resources/apps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(() => app.database.query("update oauth_grants set created_at = '2020-01-01'"));

const path = '/v1/connections';
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('succeeds', () => {
  test('lists the newest first, in pages', async () => {
    const clientId = await addApp(app);
    const ids: string[] = [];
    for (const minute of [1, 2, 2, 3]) {
      ids.unshift(await addConnection(app, { client_id: clientId, created_at: `2026-01-01T00:0${minute}:00.000Z` }));
    }
    const first = (await app.admin.get(`${path}?limit=3&client_id=${clientId}`).expect(200)).body;
    const next = `cursor=${first.pagination.nextCursor}`;
    const rest = (await app.admin.get(`${path}?limit=3&client_id=${clientId}&${next}`).expect(200)).body;
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids);
    expect(rest.pagination.hasMore).toBe(false);
    await app.admin.get(`${path}?limit=3&${next}`).expect(400);
  });

  test('admins see all of the company, others their own', async () => {
    const clientId = await addApp(app);
    const own = await addConnection(app, { client_id: clientId, user_id: app.employee.user_id });
    const other = await addConnection(app, { client_id: clientId });
    const list = async (role: 'admin' | 'manager' | 'employee') =>
      idsOf((await app[role].get(`${path}?client_id=${clientId}`).expect(200)).body).sort();
    expect(await list('admin')).toEqual([own, other].sort());
    expect(await list('employee')).toEqual([own]);
    expect(await list('manager')).toEqual([]);
  });

  test('filters by kind and by person', async () => {
    const clientId = await addApp(app);
    const own = await addConnection(app, { client_id: clientId });
    const others = await addConnection(app, { client_id: clientId, user_id: app.employee.user_id });
    const installed = await addConnection(app, { client_id: clientId, installation_role: 'manager' });
    const list = async (query: string, role: 'admin' | 'employee' = 'admin') =>
      idsOf((await app[role].get(`${path}?client_id=${clientId}&${query}`).expect(200)).body).sort();
    expect(await list('kind=installation')).toEqual([installed]);
    expect(await list('kind=person')).toEqual([own, others].sort());
    expect(await list(`user_id=${app.admin.user_id}`)).toEqual([own, installed].sort());
    expect(await list(`user_id=${app.admin.user_id}&kind=person`)).toEqual([own]);
    expect(await list(`user_id=${app.admin.user_id}`, 'employee')).toEqual([]);
    expect(await list('kind=installation', 'employee')).toEqual([]);
    for (const unknownId of ['nothing', 'a%00b', app.company_id])
      expect(await list(`user_id=${unknownId}`)).toEqual([]);
  });

  test('omits revoked and expired connections', async () => {
    const clientId = await addApp(app);
    await addConnection(app, { client_id: clientId, expires_at: '2026-01-01T00:00:00.000Z' });
    const ended = await addConnection(app, { client_id: clientId });
    await app.admin.delete(`${path}/${ended}`).expect(200);
    expect((await app.admin.get(`${path}?client_id=${clientId}`).expect(200)).body.data).toEqual([]);
  });
});

describe('refuses bad input', () => {
  test.each(['limit=0', 'cursor=nothing', 'page=1', 'client_id=', 'kind=other', 'user_id='])(
    'rejects %s',
    async (query) => {
      await app.admin.get(`${path}?${query}`).expect(400);
    },
  );

  test('is empty for an unknown app', async () => {
    expect((await app.admin.get(`${path}?client_id=a%00b`).expect(200)).body.data).toEqual([]);
  });
});

test('invisible to another company', async () => {
  const id = await addConnection(app);
  expect(idsOf((await app.admin.get(path).expect(200)).body)).toContain(id);
  expect(idsOf((await app.outsider.get(path).expect(200)).body)).not.toContain(id);
});
