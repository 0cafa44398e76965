import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}/resend-invitation`;

describe('succeeds', () => {
  test('works like send-invitation, and announces its deprecation', async () => {
    const person = { name: 'Rea Resend', email: 'rea@example.com', position: 'x', department: 'y' };
    const { id } = (await app.admin.post('/v1/collaborators', person).expect(201)).body;
    const { body, headers } = await app.admin.post(path(id)).expect(200);
    expect(body).toEqual({ message: 'Invitation sent to rea@example.com.' });
    expect(headers.deprecation).toMatch(/^@\d+$/);
    expect(headers.link).toBe(`</v1/collaborators/${id}/send-invitation>; rel="successor-version"`);
  });
});

describe('conflicts', () => {
  test('returns 409 if already active', async () => {
    await app.admin.post(path(app.report.collaborator_id)).expect(409);
  });
});

describe('forbidden by role', () => {
  test('rejects employees', async () => {
    await app.employee.post(path(app.employee.collaborator_id)).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.post(path(app.report.collaborator_id)).expect(404);
  });
});
