import { type TestApp, testApp } from '../../../helpers/app.ts';
import { people, runImport } from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const path = (id: string) => `/v1/imports/${id}/undo`;

test('previews what an undo would remove and until when, and removes nothing', async () => {
  const { id } = await runImport(app.admin, { file: people([1, 2]) });
  const { body } = await app.admin.get(path(id)).expect(200);
  expect(body).toMatchObject({ import_id: id, status: 'available', removed_count: 2, kept: [], people: [] });
  expect(Date.parse(body.until)).toBeGreaterThan(Date.now());
  expect((await app.admin.get('/v1/collaborators?search=Person').expect(200)).body.data).toHaveLength(2);
});

test('lists people who would stay, with reasons', async () => {
  const { id } = await runImport(app.admin, { file: people([3, 4]) });
  const { body: found } = await app.admin.get('/v1/collaborators?search=Person%203').expect(200);
  const [{ id: changed, name }] = found.data;
  await app.admin.patch(`/v1/collaborators/${changed}`, { phone: '1' }).expect(200);
  const { body } = await app.admin.get(path(id)).expect(200);
  expect(body).toMatchObject({ removed_count: 1, kept: [{ reason: 'changed', count: 1 }] });
  expect(body.people).toEqual([{ id: changed, name, reason: 'changed' }]);
});

test('returns the same 404 for an import of another company as for an unknown one', async () => {
  const { id } = await runImport(app.admin, { file: people([5]) });
  const { text } = await app.outsider.get(path(id)).expect(404);
  for (const unknown of ['0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30', 'x']) {
    expect((await app.outsider.get(path(unknown)).expect(404)).text).toBe(text);
  }
  await app.admin.get(path(id)).expect(200);
});
