import { type TestApp, testApp } from '../../../helpers/app.ts';
import { fetchFile, objects, picture } from '../../../helpers/resources/documents.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}/photo`;
const events = async () =>
  (
    await app.database.query<{ payload: string }>(
      "select payload from events where name = 'collaborator.photo_updated' order by created_at, id",
    )
  ).map(({ payload }) => JSON.parse(payload));

async function withPhoto(id: string) {
  const photo = (await picture()).toString('base64');
  return (await app.admin.put(path(id), { content_base64: photo }).expect(200)).body;
}

describe('succeeds', () => {
  test('removes the photo, and its links stop working', async () => {
    const before = await withPhoto(app.report.collaborator_id);
    expect((await fetchFile(before.avatar_url)).status).toBe(200);
    const { body, headers } = await app.manager.delete(path(app.report.collaborator_id)).expect(200);
    expect(body).toMatchObject({ id: app.report.collaborator_id, avatar_url: null, restricted_fields: ['salary'] });
    const { headers: read } = await app.manager.get(`/v1/collaborators/${app.report.collaborator_id}`).expect(200);
    expect(read.etag).toBe(headers.etag);
    expect((await fetchFile(before.avatar_url)).status).toBe(404);
    expect(await objects(app)).toEqual([]);
  });

  test('changes nothing if there is no photo', async () => {
    const before = await events();
    const { body } = await app.employee.delete(path(app.employee.collaborator_id)).expect(200);
    expect(body.avatar_url).toBeNull();
    expect(await events()).toEqual(before);
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown query parameter', async () => {
    await app.admin.delete(`${path(app.report.collaborator_id)}?all=true`).expect(400);
  });
});

describe('forbidden by role', () => {
  test('returns 404 out of reach, and 403 to a read-only token', async () => {
    await app.employee.delete(path(app.report.collaborator_id)).expect(404);
    const reader = await app.as('admin', { scopes: ['collaborators:read'] });
    await reader.delete(path(app.report.collaborator_id)).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await withPhoto(app.report.collaborator_id);
    await app.outsider.delete(path(app.report.collaborator_id)).expect(404);
    const { body } = await app.admin.get(`/v1/collaborators/${app.report.collaborator_id}`).expect(200);
    expect(body.avatar_url).not.toBeNull();
    await app.admin.delete(path(app.report.collaborator_id)).expect(200);
  });
});

describe('emits', () => {
  test('emits collaborator.photo_updated, and adds a history entry', async () => {
    await withPhoto(app.report.collaborator_id);
    const { body } = await app.report.delete(path(app.report.collaborator_id)).expect(200);
    expect((await events()).at(-1)).toMatchObject({ has_photo: false, changed_by: app.report.user_id });
    const { body: history } = await app.admin.get(`/v1/collaborators/${body.id}/history?limit=1`).expect(200);
    expect(history.data[0]).toMatchObject({ action: 'photo_updated', description: 'Photo removed' });
  });
});
