import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('lists the company’s connections, oldest first, in pages', async () => {
  const [first, second] = [await addSignInConnection(app), await addSignInConnection(app)];
  const { body } = await app.admin.get('/v1/sign-in-connections?limit=1').expect(200);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([first]);
  const { body: next } = await app.admin
    .get(`/v1/sign-in-connections?limit=1&cursor=${body.pagination.nextCursor}`)
    .expect(200);
  expect(next.data.map(({ id }: { id: string }) => id)).toEqual([second]);
  expect(next.pagination.hasMore).toBe(false);
  expect((await app.outsider.get('/v1/sign-in-connections').expect(200)).body.data).toEqual([]);
});
