import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDirectory } from '../../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('shows the activity of the directory', async () => {
  const directory = await addDirectory(app);
  await directory.post('/Users', { userName: 'ana@get.example' }).expect(201);
  await directory.post('/Users', { userName: 'nobody' }).expect(400);
  const { body } = await app.admin.get(`/v1/directories/${directory.id}`).expect(200);
  expect(body).toMatchObject({ id: directory.id, people_count: 1, error_count: 1, last_sync_at: expect.any(String) });
});

test('returns 404 for an unknown id and for another company’s', async () => {
  const foreign = await addDirectory({ ...app, company_id: app.outsider.company_id });
  const { text } = await app.admin.get(`/v1/directories/${foreign.id}`).expect(404);
  expect((await app.admin.get('/v1/directories/x').expect(404)).text).toBe(text);
  await app.outsider.get(`/v1/directories/${foreign.id}`).expect(200);
});
