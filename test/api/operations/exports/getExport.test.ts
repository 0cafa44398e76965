import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { download, exportPaths } from '../../../helpers/resources/exports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

async function createExport(client = app.admin, path: string = exportPaths.list): Promise<string> {
  return (await client.get(path).expect(200)).headers.location!;
}

async function set(path: string, columns: string): Promise<void> {
  await app.database.query(`update exports set ${columns} where id = $1`, [path.split('/').at(-1)]);
}

describe('succeeds', () => {
  test('returns a new link to the same file', async () => {
    const { body } = await app.admin.get(exportPaths.list).expect(200);
    const reread = (await app.admin.get(`/v1/exports/${body.id}`).expect(200)).body;
    expect(reread).toEqual({ ...body, url: reread.url });
    expect(await download(reread.url)).toEqual(await download(body.url));
  });

  test('returns the progress while it runs', async () => {
    const path = await createExport();
    const unfinished = 'completed_at = null, row_count = null, size = null';
    await set(
      path,
      `status = 'queued', due_at = now() + interval '1 hour', rows_total = null, rows_done = 0, ${unfinished}`,
    );
    const read = async () => (await app.admin.get(path).expect(200)).body;
    expect(await read()).toMatchObject({
      status: 'queued',
      url: null,
      row_count: null,
      progress: { rows_total: null, rows_done: 0, percent: 0 },
    });
    await set(path, "status = 'processing', rows_total = 3, rows_done = 2");
    expect((await read()).progress).toEqual({ rows_total: 3, rows_done: 2, percent: 66 });
    await set(path, 'rows_done = 3');
    expect(await read()).toMatchObject({ url: null, progress: { percent: 99 } }); // the file isn't ready yet
  });

  test('returns the reason if it failed', async () => {
    const path = await createExport();
    await set(path, "status = 'failed', failure_message = 'Too large.', due_at = null");
    const { body } = await app.admin.get(path).expect(200);
    expect(body).toMatchObject({ status: 'failed', failure: 'Too large.', url: null });
  });

  test('employees read their own', async () => {
    const path = await createExport(
      app.employee,
      `${exportPaths.individual}?collaborator_id=${app.employee.collaborator_id}`,
    );
    expect((await app.employee.get(path).expect(200)).body.kind).toBe('individual');
  });
});

describe('omits the link', () => {
  test('for a token that can read less than the file contains', async () => {
    const path = await createExport();
    const client = await app.as('admin', { scopes: ['exports:read'] });
    const { body } = await client.get(path).expect(200);
    expect(body).not.toHaveProperty('url');
    expect(body.restricted_fields).toEqual(['url']);
    const other = await app.as('admin', { scopes: ['exports:read', 'salary:read'] });
    expect((await other.get(path).expect(200)).body.url).toEqual(expect.any(String));
  });

  test('of an individual export for a token without the scopes of documents and history', async () => {
    const path = await createExport(
      app.admin,
      `${exportPaths.individual}?collaborator_id=${app.employee.collaborator_id}`,
    );
    const url = async (...scopes: string[]) =>
      (await (await app.as('admin', { scopes: ['exports:read', ...scopes] })).get(path).expect(200)).body.url;
    expect(await url('salary:read', 'history:read')).toBeUndefined();
    expect(await url('salary:read', 'documents:read')).toBeUndefined();
    expect(await url('salary:read', 'documents:read', 'history:read')).toEqual(expect.any(String));
  });
});

describe('expires permanently', () => {
  const role = (target: TestClient, to: string) =>
    app.admin.post(`/v1/collaborators/${target.collaborator_id}/role`, { role: to }).expect(200);

  test('if the role of the requester changes in any way', async () => {
    for (const to of ['employee', 'admin']) {
      const path = await eventually(() => createExport(app.manager)); // the process may not know the new role yet
      const { url } = (await app.manager.get(path).expect(200)).body;
      await role(app.manager, to);
      await eventually(async () => void (await app.manager.get(path).expect(404)));
      expect((await fetch(url)).status).toBe(410);
      await role(app.manager, 'manager');
      await app.manager.get(path).expect(404);
      expect((await fetch(url)).status).toBe(410);
    }
  });

  test('if people leave the team, or the manager leaves the company', async () => {
    const { report, manager } = app;
    const individual = await createExport(
      manager,
      `${exportPaths.individual}?collaborator_id=${report.collaborator_id}`,
    );
    const list = await createExport(manager);
    const { url } = (await manager.get(list).expect(200)).body;
    const move = (managerId: string) =>
      app.admin.patch(`/v1/collaborators/${report.collaborator_id}`, { manager_id: managerId }).expect(200);
    await move(app.admin.collaborator_id);
    await manager.get(`/v1/collaborators/${report.collaborator_id}`).expect(404);
    for (const path of [individual, list]) await manager.get(path).expect(404);
    expect((await fetch(url)).status).toBe(410);
    await move(manager.collaborator_id);
    for (const path of [individual, list]) await manager.get(path).expect(404);

    const reread = (await manager.get(await createExport(manager)).expect(200)).body;
    expect((await fetch(reread.url)).status).toBe(200);
    await app.admin.post(`/v1/collaborators/${manager.collaborator_id}/deactivate`).expect(200);
    expect((await fetch(reread.url)).status).toBe(410);
    await app.admin.post(`/v1/collaborators/${manager.collaborator_id}/activate`).expect(200);
    app.manager = await app.as('manager', {});
  });

  test('but not an admin’s if people come and go', async () => {
    const path = await createExport();
    const person = { name: 'New', email: 'new@example.com', position: 'x', department: 'y' };
    const { body } = await app.admin.post('/v1/collaborators', person).expect(201);
    await app.admin.delete(`/v1/collaborators/${body.id}`).expect(200);
    expect((await app.admin.get(path).expect(200)).body.url).toEqual(expect.any(String));
  });
});

describe('returns 404', () => {
  test('to others in the same or another company, identical to an unknown id', async () => {
    const path = await createExport(app.manager);
    await app.manager.get(path).expect(200);
    const nothing = await app.admin.get(`/v1/exports/${app.admin.user_id}`).expect(404);
    expect((await app.admin.get('/v1/exports/x').expect(404)).text).toBe(nothing.text);
    for (const client of [app.admin, app.report, app.employee, app.outsider]) {
      expect((await client.get(path).expect(404)).text).toBe(nothing.text);
    }
  });

  test('after it expires', async () => {
    const path = await createExport();
    await app.admin.get(path).expect(200);
    await set(path, "expires_at = now() - interval '1 second'");
    await app.admin.get(path).expect(404);
  });
});

test('rejects an unknown parameter and a token without the scope', async () => {
  const path = await createExport();
  await app.admin.get(`${path}?x=1`).expect(400);
  const client = await app.as('admin', { scopes: ['collaborators:read'] });
  await client.get(path).expect(403);
});

test('emits nothing', async () => {
  const path = await createExport();
  const count = async () => (await app.database.query('select id from events')).length;
  const before = await count();
  await app.admin.get(path).expect(200);
  expect(await count()).toBe(before);
});
