import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { download, exportPaths } from '../../../helpers/resources/exports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.query('delete from exports');
});

const path = '/v1/exports';

async function createExport(client: TestClient = app.admin, where: string = exportPaths.list): Promise<string> {
  return (await client.get(where).expect(200)).body.id;
}

async function listed(client: TestClient = app.admin, query = ''): Promise<string[]> {
  return (await client.get(`${path}${query}`).expect(200)).body.data.map(({ id }: { id: string }) => id);
}

describe('succeeds', () => {
  test('lists the newest first, as getExport shows them, with links', async () => {
    const ids = [await createExport(), await createExport(app.admin, `${exportPaths.list}?format=csv`)];
    const { body } = await app.admin.get(path).expect(200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    expect(body.pagination).toEqual({ hasMore: false, nextCursor: null });
    const [newest] = body.data;
    const read = (await app.admin.get(`${path}/${newest.id}`).expect(200)).body;
    expect(newest).toEqual({ ...read, url: newest.url });
    expect(await download(newest.url)).toEqual(await download(read.url));
  });

  test('supports pages and a status filter', async () => {
    const ids = [await createExport(), await createExport(), await createExport()].toReversed();
    const first = (await app.admin.get(`${path}?limit=2`).expect(200)).body;
    expect(first.pagination.hasMore).toBe(true);
    const rest = await listed(app.admin, `?limit=2&cursor=${first.pagination.nextCursor}`);
    expect([...first.data.map(({ id }: { id: string }) => id), ...rest]).toEqual(ids);
    await app.database.query("update exports set status = 'failed', failure_message = 'x' where id = $1", [ids[1]]);
    expect(await listed(app.admin, '?status=failed')).toEqual([ids[1]]);
    expect(await listed(app.admin, '?status=queued')).toEqual([]);
  });

  test('omits expired exports', async () => {
    const id = await createExport();
    expect(await listed()).toEqual([id]);
    await app.database.query("update exports set expires_at = now() - interval '1 second'");
    expect(await listed()).toEqual([]);
  });

  test('omits links for a token that can read less than the files contain', async () => {
    await createExport();
    const client = await app.as('admin', { scopes: ['exports:read'] });
    const [only] = (await client.get(path).expect(200)).body.data;
    expect(only.restricted_fields).toEqual(['url']);
    expect(only).not.toHaveProperty('url');
  });
});

test('refuses bad input', async () => {
  await createExport();
  await createExport();
  expect((await app.admin.get(`${path}?status=gone`).expect(400)).body.error).toBe('invalid_parameter');
  const { nextCursor } = (await app.admin.get(`${path}?limit=1`).expect(200)).body.pagination;
  for (const [client, query] of [
    [app.admin, '&status=completed'],
    [app.manager, ''],
  ] as const) {
    const response = await client.get(`${path}?cursor=${nextCursor}${query}`).expect(400);
    expect(response.body.error).toBe('invalid_cursor');
  }
});

test('lists only the caller’s own exports', async () => {
  const ids = {
    admin: await createExport(),
    manager: await createExport(app.manager),
    employee: await createExport(
      app.employee,
      `${exportPaths.individual}?collaborator_id=${app.employee.collaborator_id}`,
    ),
  };
  for (const role of ['admin', 'manager', 'employee'] as const) expect(await listed(app[role])).toEqual([ids[role]]);
  expect(await listed(app.outsider)).toEqual([]);
});

test('exports for an earlier role or team have expired permanently', async () => {
  const id = await createExport(app.manager);
  const setRole = (role: string) => app.admin.post(`/v1/collaborators/${app.manager.collaborator_id}/role`, { role });
  await setRole('admin').expect(200);
  expect(await listed(app.manager)).toEqual([]);
  await setRole('manager').expect(200);
  expect(await listed(app.manager)).toEqual([]);
  await app.manager.get(`${path}/${id}`).expect(404);

  const second = await createExport(app.manager);
  expect(await listed(app.manager)).toEqual([second]);
  const change = { manager_id: app.manager.collaborator_id };
  await app.admin.patch(`/v1/collaborators/${app.employee.collaborator_id}`, change).expect(200);
  expect(await listed(app.manager)).toEqual([]);
});
