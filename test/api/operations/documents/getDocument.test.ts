import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDocument, fetchFile, pdf } from '../../../helpers/resources/documents.ts';

let app: TestApp;
let id: string;
beforeAll(async () => {
  app = await testApp();
  id = await addDocument(app, app.report.collaborator_id, {
    filename: 'Sicherheit & mehr.pdf',
    type: 'certificate',
    description: 'x',
  });
});
afterAll(() => app.close());

const path = (collaboratorId: string, id: string) => `/v1/collaborators/${collaboratorId}/documents/${id}`;

describe('succeeds', () => {
  test('returns a link to the file', async () => {
    const { body } = await app.manager.get(path(app.report.collaborator_id, id)).expect(200);
    const fields = { name: 'Sicherheit & mehr.pdf', type: 'certificate', size: pdf.length, description: 'x' };
    expect(body).toMatchObject({ id, ...fields });
    expect(await fetchFile(body.url)).toEqual({ status: 200, type: 'application/pdf', bytes: pdf });
  });

  test('links show what browsers can display, and download the rest', async () => {
    const dispositionOf = async (filename: string, file: Buffer) => {
      const documentId = await addDocument(app, app.report.collaborator_id, { filename, file });
      const { body } = await app.report.get(path(app.report.collaborator_id, documentId)).expect(200);
      return (await fetch(body.url)).headers.get('content-disposition');
    };
    expect(await dispositionOf('a.pdf', pdf)).toMatch(/^inline; filename="?a.pdf/);
    expect(await dispositionOf('a.csv', Buffer.from('a;b\n1;2\n'))).toMatch(/^attachment; filename="?a.csv/);
  });

  test('admins and the person see documents of every type', async () => {
    for (const type of ['medical', 'identification', 'tax', 'payslip']) {
      const documentId = await addDocument(app, app.report.collaborator_id, { type });
      for (const client of [app.admin, app.report]) {
        expect((await client.get(path(app.report.collaborator_id, documentId)).expect(200)).body.type).toBe(type);
      }
    }
  });

  test('managers see their own documents too', async () => {
    const documentId = await addDocument(app, app.manager.collaborator_id, { type: 'medical' });
    await app.manager.get(path(app.manager.collaborator_id, documentId)).expect(200);
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown query parameter', async () => {
    const { body } = await app.admin.get(`${path(app.report.collaborator_id, id)}?download=1`).expect(400);
    expect(body.error).toBe('invalid_parameter');
  });
});

describe('forbidden by role', () => {
  test.each(['medical', 'identification', 'tax', 'payslip', 'contract'])(
    'returns 404 to managers for %s of the team',
    async (type) => {
      const documentId = await addDocument(app, app.report.collaborator_id, { type });
      const hidden = await app.manager.get(path(app.report.collaborator_id, documentId)).expect(404);
      const none = await app.manager.get(path(app.report.collaborator_id, app.manager.user_id)).expect(404);
      expect(hidden.text).toBe(none.text);
    },
  );

  test('rejects a token without the scope', async () => {
    const client = await app.as('admin', { scopes: ['documents:write', 'collaborators:read'] });
    const { body } = await client.get(path(app.report.collaborator_id, id)).expect(403);
    expect(body.error).toBe('insufficient_scope');
  });
});

describe('invisible to another company', () => {
  test('returns the same 404 for malformed, unknown, foreign, and unreachable ids', async () => {
    const foreign = await addDocument(app, app.employee.collaborator_id);
    const responses = await Promise.all([
      app.outsider.get(path(app.report.collaborator_id, id)),
      app.outsider.get(path(app.outsider.collaborator_id, id)),
      app.admin.get(path(app.report.collaborator_id, 'nonsense')),
      app.admin.get(path(app.report.collaborator_id, '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30')),
      app.admin.get(path(app.report.collaborator_id, foreign)),
      app.employee.get(path(app.report.collaborator_id, id)),
    ]);
    for (const { status, text } of responses) expect([status, text]).toEqual([404, responses[0]!.text]);
    await app.admin.get(path(app.employee.collaborator_id, foreign)).expect(200);
  });

  test('returns 404 while the collaborator is deleted', async () => {
    const person = { name: 'Gone Soon', email: 'gone@example.com', position: 'x', department: 'y' };
    const { body: deleted } = await app.admin.post('/v1/collaborators', person).expect(201);
    const documentId = await addDocument(app, deleted.id);
    await app.admin.delete(`/v1/collaborators/${deleted.id}`).expect(200);
    await app.admin.get(path(deleted.id, documentId)).expect(404);
    await app.admin.post(`/v1/collaborators/${deleted.id}/restore`).expect(200);
    const { body } = await app.admin.get(path(deleted.id, documentId)).expect(200);
    expect((await fetchFile(body.url)).status).toBe(200);
  });
});
