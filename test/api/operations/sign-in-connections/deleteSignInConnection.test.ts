import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('deletes the connection with its domains, and returns 404 to another company', async () => {
  const id = await addSignInConnection(app, { domains: ['verdelog.example'] });
  await app.outsider.delete(`/v1/sign-in-connections/${id}`).expect(404);
  const { body } = await app.admin.delete(`/v1/sign-in-connections/${id}`).expect(200);
  expect(body).toEqual({ id, deleted: true, deleted_at: expect.stringMatching(/Z$/) });
  await app.admin.delete(`/v1/sign-in-connections/${id}`).expect(404);
  expect(await app.database.query('select 1 from sign_in_domains')).toEqual([]);
});
