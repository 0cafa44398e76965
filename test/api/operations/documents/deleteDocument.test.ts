import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDocument, fetchFile, objects } from '../../../helpers/resources/documents.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (collaboratorId: string, id: string) => `/v1/collaborators/${collaboratorId}/documents/${id}`;

describe('succeeds', () => {
  test('removes the document and its file, and its links stop working', async () => {
    const id = await addDocument(app, app.report.collaborator_id);
    const { body: before } = await app.admin.get(path(app.report.collaborator_id, id)).expect(200);
    expect((await fetchFile(before.url)).status).toBe(200);
    const stored = await objects(app);
    const { body } = await app.admin.delete(path(app.report.collaborator_id, id)).expect(200);
    expect(body).toEqual({ id, deleted: true, deleted_at: expect.any(String) });
    await app.admin.get(path(app.report.collaborator_id, id)).expect(404);
    expect(await objects(app)).toHaveLength(stored.length - 1);
    expect((await fetchFile(before.url)).status).toBe(404);
    const [row] = await app.database.query('select key, description, deleted_at from documents where id = $1', [id]);
    expect(row).toEqual({ key: null, description: null, deleted_at: expect.any(Date) });
  });

  test('managers of the team and the person can delete', async () => {
    const first = await addDocument(app, app.report.collaborator_id, { type: 'certificate' });
    await app.manager.delete(path(app.report.collaborator_id, first)).expect(200);
    const second = await addDocument(app, app.report.collaborator_id, { type: 'medical' });
    await app.report.delete(path(app.report.collaborator_id, second)).expect(200);
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown query parameter', async () => {
    const id = await addDocument(app, app.report.collaborator_id);
    await app.admin.delete(`${path(app.report.collaborator_id, id)}?force=true`).expect(400);
    await app.admin.get(path(app.report.collaborator_id, id)).expect(200);
  });
});

describe('conflicts', () => {
  test('of two concurrent deletions, one succeeds', async () => {
    const id = await addDocument(app, app.report.collaborator_id);
    const send = () => app.admin.delete(path(app.report.collaborator_id, id));
    const responses = await Promise.all([send(), send()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
    await send().expect(404);
  });
});

describe('forbidden by role', () => {
  test.each(['medical', 'identification', 'tax', 'payslip', 'contract'])(
    'returns 404 to managers for %s of the team',
    async (type) => {
      const id = await addDocument(app, app.report.collaborator_id, { type });
      await app.manager.delete(path(app.report.collaborator_id, id)).expect(404);
      await app.report.get(path(app.report.collaborator_id, id)).expect(200);
    },
  );

  test('rejects a read-only token', async () => {
    const id = await addDocument(app, app.report.collaborator_id);
    const reader = await app.as('admin', { scopes: ['documents:read'] });
    expect((await reader.delete(path(app.report.collaborator_id, id)).expect(403)).body.error).toBe(
      'insufficient_scope',
    );
  });
});

describe('invisible to another company', () => {
  test('returns 404, also through another collaborator', async () => {
    const id = await addDocument(app, app.report.collaborator_id);
    await app.outsider.delete(path(app.report.collaborator_id, id)).expect(404);
    await app.outsider.delete(path(app.outsider.collaborator_id, id)).expect(404);
    await app.admin.delete(path(app.employee.collaborator_id, id)).expect(404);
    await app.admin.get(path(app.report.collaborator_id, id)).expect(200);
  });
});

describe('emits', () => {
  test('emits document.deleted, and adds a history entry', async () => {
    const id = await addDocument(app, app.report.collaborator_id);
    const { body } = await app.admin.delete(path(app.report.collaborator_id, id)).expect(200);
    const [event] = await app.database.query<{ payload: string }>(
      "select payload from events where name = 'document.deleted' order by created_at desc, id desc limit 1",
    );
    const document = { id, collaborator_id: app.report.collaborator_id, name: 'contract.pdf', type: 'contract' };
    expect(JSON.parse(event!.payload)).toEqual({
      ...document,
      deleted_by: app.admin.user_id,
      deleted_at: body.deleted_at,
    });
    const { body: history } = await app.admin
      .get(`/v1/collaborators/${app.report.collaborator_id}/history?limit=1`)
      .expect(200);
    expect(history.data[0]).toMatchObject({
      action: 'document_deleted',
      changes: [{ field: 'documents', from: { id, name: 'contract.pdf', type: 'contract' }, to: null }],
    });
  });
});
