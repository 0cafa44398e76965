import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addApp } from '../../../helpers/resources/apps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('succeeds: returns everything but secrets', async () => {
  const id = await addApp(app, { scopes: ['profile'] });
  const { body } = await app.admin.get(`/v1/apps/${id.toUpperCase()}`).expect(200);
  expect(body).toMatchObject({ id, client_id: id, kind: 'confidential', scopes: ['profile'], approved_at: null });
  expect(body.previous_secret_expires_at).toBeNull();
  expect(JSON.stringify(body)).not.toMatch(/_hash|earlier|client_secret|cma_cs_/);
});

test('refuses bad input: an unknown id, and the id of an operator’s client', async () => {
  await app.admin.get('/v1/apps/nothing').expect(404);
  await app.admin.get('/v1/apps/test-client').expect(404);
  await app.admin.get('/v1/apps/command-line').expect(404);
});

test('forbidden by role: only admins can read', async () => {
  const id = await addApp(app);
  for (const client of [app.manager, app.employee]) await client.get(`/v1/apps/${id}`).expect(403);
});

test('invisible to another company', async () => {
  const id = await addApp(app);
  const { text } = await app.outsider.get(`/v1/apps/${id}`).expect(404);
  expect((await app.outsider.get('/v1/apps/nothing').expect(404)).text).toBe(text);
  await app.admin.get(`/v1/apps/${id}`).expect(200);
});
