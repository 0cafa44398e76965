import { randomUUID } from 'node:crypto';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { addConnection, addInstallation } from '../../../helpers/database/connections.ts';
import { eventually } from '../../../helpers/eventually.ts';

let app: TestApp;
let robot: TestClient;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const confirm = (client: TestClient, id: string) => client.post(`/v1/connections/${id}/confirm`);
const setRole = (role: string) =>
  app.admin.post(`/v1/collaborators/${app.manager.collaborator_id}/role`, { role }).expect(200);

/** An installation by a second admin who has since lost the role. */
beforeEach(async () => {
  await setRole('admin');
  robot = await addInstallation(app, 'manager', 'admin');
  await setRole('manager');
});

describe('succeeds', () => {
  test('the installation continues under the caller’s responsibility', async () => {
    expect((await robot.get('/v1/collaborators')).status).toBe(403);
    const { body } = await confirm(app.admin, robot.user_id).expect(200);
    expect(body).toMatchObject({
      id: robot.user_id,
      kind: 'installation',
      role: 'admin',
      allowed_by: { user_id: app.admin.user_id },
      suspended_at: null,
      confirmation_requested_at: null,
    });
    expect((await app.admin.get(`/v1/connections/${robot.user_id}`).expect(200)).body).toEqual(body);
    await eventually(async () => expect((await robot.get('/v1/collaborators')).status).toBe(200));
  });

  test('does nothing if repeated, or for a person’s connection', async () => {
    await confirm(app.admin, robot.user_id).expect(200);
    const before = (await app.admin.get(`/v1/connections/${robot.user_id}`)).body;
    expect((await confirm(app.admin, robot.user_id).expect(200)).body).toEqual(before);
    const id = await addConnection(app, { user_id: app.employee.user_id });
    expect((await confirm(app.admin, id).expect(200)).body).toMatchObject({
      kind: 'person',
      allowed_by: { user_id: app.employee.user_id },
    });
  });

  test('with an Idempotency-Key, runs once', async () => {
    const key = randomUUID();
    const first = await confirm(app.admin, robot.user_id).set('Idempotency-Key', key).expect(200);
    const replay = await confirm(app.admin, robot.user_id).set('Idempotency-Key', key).expect(200);
    expect([replay.headers['idempotency-replayed'], replay.body]).toEqual(['true', first.body]);
  });
});

describe('refuses bad input', () => {
  test('returns 404 for unknown and ended connections', async () => {
    await confirm(app.admin, 'nothing').expect(404);
    await app.admin.delete(`/v1/connections/${robot.user_id}`).expect(200);
    await confirm(app.admin, robot.user_id).expect(404);
  });
});

describe('forbidden by role', () => {
  test('returns 404 to managers and employees, and 403 to a token without the scope', async () => {
    await app.database.query("update collaborators set role = 'manager' where id = $1", [app.report.collaborator_id]);
    const manager = await app.as('report', {});
    expect((await manager.get('/v1/permissions').expect(200)).body.role).toBe('manager');
    await confirm(manager, robot.user_id).expect(404);
    await confirm(app.employee, robot.user_id).expect(404);
    const reader = await app.as('admin', { scopes: ['collaborators:read'] });
    expect((await confirm(reader, robot.user_id).expect(403)).body.error).toBe('insufficient_scope');
  });

  test('rejects installations, and the person who installed it', async () => {
    const helper = await addInstallation(app, 'admin', 'admin');
    const { body } = await confirm(helper, robot.user_id).expect(403);
    expect(body).toMatchObject({ error: 'forbidden', details: { reason: 'not_for_installations' } });
    await app.database.query("update collaborators set role = 'admin' where id = $1", [app.manager.collaborator_id]);
    const installer = await app.as('manager', {});
    expect((await confirm(installer, robot.user_id).expect(403)).body.error).toBe('forbidden');
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await confirm(app.outsider, robot.user_id).expect(404);
    await robot.get('/v1/collaborators').expect(403);
  });
});

test('the audit log entry names the connection', async () => {
  const { headers } = await confirm(app.admin, robot.user_id).expect(200);
  const [entry] = await app.database.query('select * from audit_log where request_id = $1', [headers['x-request-id']]);
  expect(entry).toMatchObject({ action: 'confirmConnection', target_type: 'connection', target_id: robot.user_id });
});
