import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('returns a URL below the connection, valid for ten minutes', async () => {
  const id = await addSignInConnection(app);
  const { body } = await app.admin.post(`/v1/sign-in-connections/${id}/test`).expect(200);
  expect(body.url.startsWith(`${app.base_url}/oauth/connections/${id}/test?ticket=`)).toBe(true);
  const remainingMs = Date.parse(body.expires_at) - Date.now();
  expect(remainingMs).toBeGreaterThan(9 * 60_000);
  expect(remainingMs).toBeLessThanOrEqual(10 * 60_000);
  await app.outsider.post(`/v1/sign-in-connections/${id}/test`).expect(404);
  await app.manager.post(`/v1/sign-in-connections/${id}/test`).expect(403);
});
