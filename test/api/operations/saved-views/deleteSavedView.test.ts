import { type TestApp, testApp } from '../../../helpers/app.ts';

const path = '/v1/saved-views';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const saved = async () => (await app.admin.post(path, { name: 'Drivers', filters: {} }).expect(201)).body.id;

test('deletes a view, then returns 404', async () => {
  const id = await saved();
  expect((await app.admin.delete(`${path}/${id}`).expect(200)).body).toEqual({ id, deleted: true });
  await app.admin.delete(`${path}/${id}`).expect(404);
  expect((await app.admin.get(path).expect(200)).body.data).toEqual([]);
});

test('can’t delete another person’s view', async () => {
  const id = await saved();
  for (const client of [app.manager, app.employee, app.outsider]) await client.delete(`${path}/${id}`).expect(404);
  await app.admin.delete(`${path}/nonsense`).expect(404);
  expect((await app.admin.get(path).expect(200)).body.data).toHaveLength(1);
});
