import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}/status`;

describe('succeeds', () => {
  test('returns an active person who belongs to the company without an invitation, such as its first admin', async () => {
    const { body } = await app.admin.get(path(app.report.collaborator_id)).expect(200);
    expect(body).toEqual({
      collaborator_id: app.report.collaborator_id,
      status: 'active',
      since: expect.stringMatching(/Z$/),
      reason: null,
      changed_by: null,
      invitation: { state: 'accepted', sent_at: null, expires_at: null, send_count: 0 },
      allowed_transitions: ['inactive'],
    });
  });

  test('returns the invitation of a pending person, until it expires', async () => {
    const created = await app.admin
      .post('/v1/collaborators', { name: 'Pia Pending', email: 'pia@example.com', position: 'x', department: 'y' })
      .expect(201);
    const { id } = created.body;
    expect((await app.admin.get(path(id)).expect(200)).body).toMatchObject({
      status: 'pending',
      allowed_transitions: ['active', 'inactive'],
      invitation: { state: 'none' },
    });
    await app.admin.post(`/v1/collaborators/${id}/send-invitation`).expect(200);
    const sent = (await app.admin.get(path(id)).expect(200)).body.invitation;
    expect(sent).toMatchObject({ state: 'sent', send_count: 1 });
    expect(Date.parse(sent.expires_at) - Date.parse(sent.sent_at)).toBe(7 * 86_400_000);
    await app.database.query("update invitations set expires_at = now() - interval '1 s' where collaborator_id = $1", [
      id,
    ]);
    expect((await app.admin.get(path(id)).expect(200)).body.invitation.state).toBe('expired');
  });

  test('returns no accepted invitation of someone who has left, so that they can be invited again', async () => {
    const person = { name: 'Lea Left', email: 'lea@example.com', position: 'x', department: 'y' };
    const { id } = (await app.admin.post('/v1/collaborators', person).expect(201)).body;
    await app.admin.post(`/v1/collaborators/${id}/send-invitation`).expect(200);
    await app.database.query("update invitations set state = 'accepted' where collaborator_id = $1", [id]);
    expect((await app.admin.get(path(id)).expect(200)).body.invitation).toMatchObject({
      state: 'cancelled',
      send_count: 1,
    });
  });

  test('managers read their team’s, employees their own', async () => {
    await app.manager.get(path(app.report.collaborator_id)).expect(200);
    await app.employee.get(path(app.employee.collaborator_id)).expect(200);
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown query parameter', async () => {
    await app.admin.get(`${path(app.report.collaborator_id)}?x=1`).expect(400);
  });
});

describe('invisible to others', () => {
  test('returns 404 out of reach', async () => {
    await app.manager.get(path(app.employee.collaborator_id)).expect(404);
    await app.employee.get(path(app.report.collaborator_id)).expect(404);
    await app.outsider.get(path(app.report.collaborator_id)).expect(404);
  });
});
