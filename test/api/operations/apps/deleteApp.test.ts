import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addApp } from '../../../helpers/resources/apps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/apps/${id}`;

describe('succeeds', () => {
  test('revokes all connections to the app, in every company', async () => {
    const id = await addApp(app);
    const affected = await app.as('employee', { client_id: id });
    const others = await app.as('outsider', { client_id: id });
    for (const client of [affected, others]) await client.get('/v1/permissions').expect(200);
    const { body } = await app.admin.delete(path(id)).expect(200);
    expect(body).toEqual({ id, deleted: true, deleted_at: expect.stringMatching(/\.\d{3}Z$/) });
    for (const client of [affected, others]) {
      await eventually(async () => {
        await client.get('/v1/permissions').expect(401);
      });
    }
    await app.admin.get(path(id)).expect(404);
    await app.admin.put(path(id), { name: 'Back' }).expect(404);
    await app.admin.post(`${path(id)}/rotate-secret`).expect(404);
    await app.admin.get('/v1/permissions').expect(200);
  });
});

test('refuses bad input: an unknown id, and the id of an operator’s client', async () => {
  await app.admin.delete(path('nothing')).expect(404);
  await app.admin.delete(path('test-client')).expect(404);
});

test('conflicts: concurrent deletions succeed once', async () => {
  const id = await addApp(app);
  const responses = await Promise.all([1, 2, 3].map(() => app.admin.delete(path(id))));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
});

test('forbidden by role: only admins can delete', async () => {
  const id = await addApp(app);
  for (const client of [app.manager, app.employee]) await client.delete(path(id)).expect(403);
  await app.admin.get(path(id)).expect(200);
});

test('invisible to another company', async () => {
  const id = await addApp(app);
  await app.outsider.delete(path(id)).expect(404);
  await app.admin.get(path(id)).expect(200);
});
