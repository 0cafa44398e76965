import { type TestApp, testApp } from '../../../helpers/app.ts';

const path = '/v1/saved-views';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('returns a view as saved, to its owner only', async () => {
  const view = { name: 'Drivers', filters: { search: 'driver' }, sort: 'name' };
  const { body, headers } = await app.employee.post(path, view).expect(201);
  expect((await app.employee.get(headers.location!).expect(200)).body).toEqual(body);
  const unknown = await app.admin.get(`${path}/0199a3bb-40c9-7d17-b3f2-8e5c61a0d924`).expect(404);
  for (const client of [app.admin, app.manager, app.outsider]) {
    expect((await client.get(headers.location!).expect(404)).body).toEqual(unknown.body);
  }
});
