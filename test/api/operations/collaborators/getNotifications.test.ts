import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}/notifications`;

describe('succeeds', () => {
  test('defaults to email and in-app at any time', async () => {
    const { body } = await app.employee.get(path(app.employee.collaborator_id)).expect(200);
    expect(body).toEqual({
      channels: { email: true, push: true, sms: false },
      events: {},
      quiet_hours: null,
      locale: null,
      updated_at: null,
    });
  });

  test('returns stored preferences merged with defaults', async () => {
    const id = app.report.collaborator_id;
    await app.report.put(path(id), { channels: { push: false }, locale: 'pt-BR' }).expect(200);
    const { body } = await app.report.get(path(id)).expect(200);
    expect(body).toEqual({
      channels: { email: true, push: false, sms: false },
      events: {},
      quiet_hours: null,
      locale: 'pt-BR',
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect((await app.admin.get(path(id)).expect(200)).body).toEqual(body);
  });

  test('stores only what was set', async () => {
    const id = app.manager.collaborator_id;
    await app.manager.put(path(id), { channels: { sms: true } }).expect(200);
    const sql = 'select preferences from notification_preferences where collaborator_id = $1';
    expect(await app.database.query(sql, [id])).toEqual([{ preferences: { channels: { sms: true } } }]);
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown query parameter', async () => {
    const { body } = await app.admin.get(`${path(app.report.collaborator_id)}?verbose=1`).expect(400);
    expect(body.error).toBe('invalid_parameter');
  });
});

describe('forbidden by role', () => {
  test('managers read their own, but not those of their team', async () => {
    await app.manager.get(path(app.manager.collaborator_id)).expect(200);
    await app.manager.get(path(app.report.collaborator_id)).expect(404);
  });

  test('employees read only their own', async () => {
    await app.employee.get(path(app.report.collaborator_id)).expect(404);
  });

  test('rejects a token without the scope', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:read', 'notifications:write'] });
    const { body } = await client.get(path(app.report.collaborator_id)).expect(403);
    expect(body).toMatchObject({ error: 'insufficient_scope', details: { required_scopes: ['notifications:read'] } });
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.get(path(app.report.collaborator_id)).expect(404);
  });
});
