import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDirectory } from '../../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('lists the company’s directories, oldest first, without tokens, in pages', async () => {
  const first = await addDirectory(app);
  const second = await addDirectory(app);
  await addDirectory({ ...app, company_id: app.outsider.company_id });
  const { body } = await app.admin.get('/v1/directories?limit=1').expect(200);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([first.id]);
  const { body: next } = await app.admin
    .get(`/v1/directories?limit=1&cursor=${body.pagination.nextCursor}`)
    .expect(200);
  expect(next).toMatchObject({ data: [{ id: second.id }], pagination: { hasMore: false } });
  expect(JSON.stringify([body, next])).not.toMatch(/cma_dt_|"token"|_hash/);
});
