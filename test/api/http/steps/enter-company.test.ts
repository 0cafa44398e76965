import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const ask = (path: string, company?: string) => {
  const request = app.anon.get(path).set('Authorization', `Bearer ${app.admin.token}`);
  return company === undefined ? request : request.set('X-Company-Id', company);
};

test('a path below /v1 belongs to a company, another does not', async () => {
  await ask('/v1/collaborators', app.company_id).expect(200);
  await ask('/auth/user').expect(200);
  expect((await ask('/v1/collaborators').expect(400)).body.error).toBe('company_id_required');
});

test('it is a UUID, in upper case or lower', async () => {
  expect((await ask('/v1/collaborators', 'verde').expect(400)).body.error).toBe('company_id_invalid');
  await ask('/v1/collaborators', app.company_id.toUpperCase()).expect(200);
});

test('one of others looks like none, before any path is looked at', async () => {
  const foreign = await ask('/v1/no/such/path', app.outsider.company_id).expect(403);
  const unknown = await ask('/v1/collaborators', '7c9e6679-7425-40de-944b-e07fc1f90ae7').expect(403);
  expect(unknown.text).toBe(foreign.text);
  expect(foreign.body.error).toBe('company_access_denied');
});
