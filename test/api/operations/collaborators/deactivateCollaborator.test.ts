import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addPerson, eventsOf } from '../../../helpers/identity/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}/deactivate`;

describe('succeeds', () => {
  test('revokes access long before caches expire', async () => {
    const { report } = app;
    await report.get('/v1/collaborators').expect(200);
    const { body } = await app.admin.post(path(report.collaborator_id), { reason: 'Left' }).expect(200);
    expect(body).toMatchObject({ status: 'inactive', reason: 'Left', allowed_transitions: ['active'] });
    await eventually(async () => {
      expect((await report.get('/v1/collaborators').expect(401)).body.error).toBe('invalid_token');
    });
  });

  test('a grant for two companies stays valid for the other', async () => {
    const both = await app.as('employee', { company_ids: [app.company_id, app.outsider.company_id] });
    await both.get('/auth/user').expect(200);
    await app.admin.post(path(app.employee.collaborator_id)).expect(200);
    await eventually(async () => expect((await both.get('/v1/collaborators')).status).toBe(403));
    expect((await both.get('/auth/user').expect(200)).body.companies).toEqual([]);
  });

  test('cancels pending invitations', async () => {
    const person = { name: 'Iva Invited', email: 'iva@example.com', position: 'x', department: 'y' };
    const { id } = (await app.admin.post('/v1/collaborators', person).expect(201)).body;
    await app.admin.post(`/v1/collaborators/${id}/send-invitation`).expect(200);
    const { body } = await app.admin.post(path(id)).expect(200);
    expect(body).toMatchObject({
      status: 'inactive',
      invitation: { state: 'cancelled' },
      allowed_transitions: ['active', 'pending'],
    });
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown field', async () => {
    await app.admin.post(path(app.report.collaborator_id), { why: 'x' }).expect(400);
  });
});

describe('conflicts', () => {
  test('returns 409 for the last active admin', async () => {
    const { body } = await app.admin.post(path(app.admin.collaborator_id)).expect(409);
    expect(body.error).toBe('last_admin');
  });

  test('of two admins who deactivate each other at the same time, one stays active', async () => {
    const own = await testApp();
    try {
      const { admin, manager } = own;
      await own.database.query("update collaborators set role = 'admin' where id = $1", [manager.collaborator_id]);
      const other = await own.as('manager', {});
      const responses = await Promise.all([
        admin.post(path(manager.collaborator_id)),
        other.post(path(admin.collaborator_id)),
      ]);
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(200);
      expect([401, 403, 409]).toContain(statuses[1]);
      const active = "select 1 from collaborators where company_id = $1 and role = 'admin' and status = 'active'";
      expect(await own.database.query(active, [own.company_id])).toHaveLength(1);
    } finally {
      await own.close();
    }
  });
});

describe('forbidden by role', () => {
  test('returns 403 to a manager within the team, and 404 outside it', async () => {
    const active = await addPerson(app, 'Team', { manager_id: app.manager.collaborator_id });
    await app.admin.post(`/v1/collaborators/${active}/activate`).expect(200);
    await app.manager.post(path(active)).expect(403);
    await app.manager.post(path(app.employee.collaborator_id)).expect(404);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.post(path(app.report.collaborator_id)).expect(404);
  });
});

describe('emits', () => {
  test('emits collaborator.status_changed once, and adds a history entry', async () => {
    const id = app.manager.collaborator_id;
    await app.admin.post(path(id)).expect(200);
    await app.admin.post(path(id)).expect(200);
    expect(await eventsOf(app, 'collaborator.status_changed', id)).toMatchObject([
      { from: 'active', to: 'inactive', collaborator_id: id },
    ]);
    const history = await app.database.query(
      "select changes from collaborator_history where action = 'status_changed' and collaborator_id = $1",
      [id],
    );
    expect(history).toEqual([{ changes: [{ field: 'status', from: 'active', to: 'inactive' }] }]);
  });
});
