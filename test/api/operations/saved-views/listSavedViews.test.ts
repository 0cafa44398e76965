import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';

const path = '/v1/saved-views';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => app.database.query('delete from saved_views'));

const save = (client: TestClient, name: string) => client.post(path, { name, filters: {} }).expect(201);
const names = async (client: TestClient) =>
  (await client.get(path).expect(200)).body.data.map(({ name }: { name: string }) => name);

test('sorts by name, ignoring case; initially empty', async () => {
  expect(await names(app.admin)).toEqual([]);
  for (const name of ['pending', 'Active', 'Drivers']) await save(app.admin, name);
  expect(await names(app.admin)).toEqual(['Active', 'Drivers', 'pending']);
});

test('returns only the caller’s own views, per company', async () => {
  await save(app.admin, 'Of Mariana');
  await save(app.employee, 'Of Tomás');
  await save(app.outsider, 'Of Jonas');
  expect(await names(app.admin)).toEqual(['Of Mariana']);
  expect(await names(app.employee)).toEqual(['Of Tomás']);
  expect(await names(app.manager)).toEqual([]);
  expect(await names(app.outsider)).toEqual(['Of Jonas']);
});

test.each(['limit=1', 'collaborator_id=0199a3bb-40c9-7d17-b3f2-8e5c61a0d924'])('rejects %s', async (query) => {
  expect((await app.admin.get(`${path}?${query}`).expect(400)).body.error).toBe('invalid_parameter');
});
