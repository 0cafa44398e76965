import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { objects } from '../../../helpers/resources/documents.ts';
import { exportPaths } from '../../../helpers/resources/exports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const createExport = async (client = app.admin) => (await client.get(exportPaths.list).expect(200)).body;

describe('succeeds', () => {
  test('removes the export with its file and links', async () => {
    const before = await objects(app);
    const { id, url } = await createExport();
    expect((await fetch(url)).status).toBe(200);
    expect(await objects(app)).toHaveLength(before.length + 1);
    const { body } = await app.admin.delete(`/v1/exports/${id}`).expect(200);
    expect(body).toEqual({ id, deleted: true, deleted_at: expect.any(String) });
    expect(new Date(body.deleted_at).toISOString()).toBe(body.deleted_at);
    await app.admin.get(`/v1/exports/${id}`).expect(404);
    await app.admin.delete(`/v1/exports/${id}`).expect(404);
    expect((await fetch(url)).status).toBe(404);
    await eventually(async () => expect(await objects(app)).toEqual(before));
  });

  test('cancels an export in progress', async () => {
    const { id } = await createExport();
    await app.database.query(
      "update exports set status = 'processing', due_at = now() + interval '1 hour', completed_at = null where id = $1",
      [id],
    );
    await app.admin.delete(`/v1/exports/${id}`).expect(200);
    await app.admin.get(`/v1/exports/${id}`).expect(404);
    // Workers claim exports by their row.
    expect(await app.database.query('select 1 from exports where id = $1', [id])).toEqual([]);
  });
});

test('returns 404 for exports of other users', async () => {
  const { id } = await createExport(app.manager);
  await app.admin.delete(`/v1/exports/${id}`).expect(404);
  await app.outsider.delete(`/v1/exports/${id}`).expect(404);
  await app.admin.delete('/v1/exports/nonsense').expect(404);
  await app.manager.get(`/v1/exports/${id}`).expect(200);
});
