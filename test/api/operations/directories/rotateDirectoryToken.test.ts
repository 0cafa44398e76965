import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDirectory, directoryClient } from '../../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('returns a new token; the previous one stays valid for a day, or expires immediately', async () => {
  const directory = await addDirectory(app);
  const rotate = async (body?: object) =>
    (await app.admin.post(`/v1/directories/${directory.id}/rotate-token`, body).expect(200)).body;
  const dayMs = 24 * 3_600_000;
  const earliest = Date.now() + dayMs;
  const rotated = await rotate();
  expect(rotated.token).toMatch(/^cma_dt_/);
  expect(Date.parse(rotated.previous_token_expires_at)).toBeGreaterThanOrEqual(earliest);
  expect(Date.parse(rotated.previous_token_expires_at)).toBeLessThanOrEqual(Date.now() + dayMs);
  await directory.get('/Users').expect(200);
  await directoryClient(app.base_url, directory.id, rotated.token).get('/Users').expect(200);
  const leaked = await rotate({ immediately: true });
  expect(leaked.previous_token_expires_at).toBeNull();
  await directory.get('/Users').expect(401);
  await directoryClient(app.base_url, directory.id, leaked.token).get('/Users').expect(200);
});
