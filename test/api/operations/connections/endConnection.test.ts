import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addConnection } from '../../../helpers/database/connections.ts';
import { eventually } from '../../../helpers/eventually.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(() => app.database.query('delete from events'));

const path = (id: string) => `/v1/connections/${id}`;

describe('succeeds', () => {
  test('revokes its tokens long before caches expire', async () => {
    const grantId = randomUUID();
    const connected = await app.as('employee', { grant_id: grantId });
    await connected.get('/v1/collaborators').expect(200);
    const { body } = await app.admin.delete(path(grantId)).expect(200);
    expect(body).toEqual({ id: grantId, ended: true, ended_at: expect.stringMatching(/\.\d{3}Z$/) });
    await eventually(async () => {
      await connected.get('/v1/collaborators').expect(401);
    });
    await app.admin.get(path(grantId)).expect(404);
    await app.admin.delete(path(grantId)).expect(404);
  });

  test('affects only this company if the grant covers several', async () => {
    const grantId = randomUUID();
    const both = await app.as('outsider', {
      grant_id: grantId,
      company_ids: [app.company_id, app.outsider.company_id],
    });
    await app.admin.delete(path(grantId)).expect(200);
    await both.get('/v1/collaborators').expect(200);
    await app.outsider.get(path(grantId)).expect(200);
    const [row] = await app.database.query('select company_ids from oauth_grants where id = $1', [grantId]);
    expect(row!.company_ids).toEqual([app.outsider.company_id]);
  });

  test('the user can revoke it with that very token', async () => {
    const grantId = randomUUID();
    const connected = await app.as('employee', { grant_id: grantId });
    await connected.delete(path(grantId)).expect(200);
    await eventually(async () => {
      await connected.get('/v1/collaborators').expect(401);
    });
  });

  test('clears when and from where it was used', async () => {
    const grantId = randomUUID();
    const connected = await app.as('employee', { grant_id: grantId });
    await connected.get('/v1/collaborators').expect(200);
    await app.uses.flush();
    const uses = () => app.database.query('select 1 from connection_uses where connection_id = $1', [grantId]);
    expect(await uses()).toHaveLength(1);
    await app.admin.delete(path(grantId)).expect(200);
    expect(await uses()).toEqual([]);
  });
});

test('refuses bad input: an unknown id', async () => {
  await app.admin.delete(path('nothing')).expect(404);
});

test('conflicts: concurrent requests succeed once', async () => {
  const id = await addConnection(app);
  const responses = await Promise.all([1, 2, 3].map(() => app.admin.delete(path(id))));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  expect(await app.database.query("select 1 from events where name = 'connection.ended'")).toHaveLength(1);
});

test('forbidden by role: connections of others don’t exist', async () => {
  const id = await addConnection(app);
  for (const client of [app.manager, app.employee]) await client.delete(path(id)).expect(404);
  await app.admin.get(path(id)).expect(200);
});

test('invisible to another company', async () => {
  const id = await addConnection(app);
  await app.outsider.delete(path(id)).expect(404);
  await app.admin.get(path(id)).expect(200);
});

test('emits connection.ended, and the audit log entry names the connection', async () => {
  const id = await addConnection(app, { user_id: app.employee.user_id });
  const { body, headers } = await app.admin.delete(path(id)).expect(200);
  const [event] = await app.database.query("select payload::json from events where name = 'connection.ended'");
  expect(event!.payload).toEqual({
    id,
    client_id: 'test-client',
    app_name: 'Tests',
    allowed_by: app.employee.user_id,
    reason: 'ended',
    ended_by: app.admin.user_id,
    ended_at: body.ended_at,
  });
  const [entry] = await app.database.query('select * from audit_log where request_id = $1', [headers['x-request-id']]);
  expect(entry).toMatchObject({ action: 'endConnection', target_type: 'connection', target_id: id });
});
