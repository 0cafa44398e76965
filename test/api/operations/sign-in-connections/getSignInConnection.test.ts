import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('returns a connection of the company, and 404 for others', async () => {
  const id = await addSignInConnection(app, { domains: ['verdelog.example'] });
  const { body } = await app.admin.get(`/v1/sign-in-connections/${id}`).expect(200);
  expect(body).toMatchObject({ id, status: 'draft', people_count: 0 });
  expect(Object.keys(body).join()).not.toContain('secret');
  await app.outsider.get(`/v1/sign-in-connections/${id}`).expect(404);
  await app.admin.get('/v1/sign-in-connections/x').expect(404);
});
