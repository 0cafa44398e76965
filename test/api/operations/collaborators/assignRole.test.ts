import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { eventsOf } from '../../../helpers/identity/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}/role`;

describe('succeeds', () => {
  test('assigns a role that applies from the next request on', async () => {
    const id = app.employee.collaborator_id;
    await app.employee.get(`/v1/collaborators/${app.report.collaborator_id}`).expect(404);
    const { body, headers } = await app.admin.post(path(id), { role: 'admin' }).expect(200);
    expect(body).toMatchObject({ id, role: 'admin' });
    expect(headers.etag).toMatch(/^"/);
    await eventually(() => app.employee.get(`/v1/collaborators/${app.report.collaborator_id}`).expect(200));
    await app.employee.get(`/v1/collaborators/${app.report.collaborator_id}`).expect(200);
    await app.admin.post(path(id), { role: 'employee' }).expect(200);
  });

  test('demotion revokes permissions of an existing token long before caches expire', async () => {
    await app.admin.post(path(app.employee.collaborator_id), { role: 'admin' }).expect(200);
    await eventually(() => app.employee.get(`/v1/collaborators/${app.report.collaborator_id}`).expect(200));
    await app.admin.post(path(app.employee.collaborator_id), { role: 'employee' }).expect(200);
    await eventually(() => app.employee.get(`/v1/collaborators/${app.report.collaborator_id}`).expect(404));
  });

  test('assigning the same role changes nothing', async () => {
    const id = app.manager.collaborator_id;
    const before = await app.admin.get(`/v1/collaborators/${id}`).expect(200);
    const { headers } = await app.admin.post(path(id), { role: 'manager' }).expect(200);
    expect(headers.etag).toBe(before.headers.etag);
    expect(await eventsOf(app, 'collaborator.role_changed', id)).toEqual([]);
  });
});

describe('refuses bad input', () => {
  test.each([
    [{ role: 'owner' }, { role: ['not_in_enum'] }],
    [{}, { role: ['required'] }],
    [{ role: null }, { role: ['not_in_enum'] }],
    [{ role: 'admin', status: 'active' }, { status: ['field_not_allowed'] }],
  ])('rejects %j', async (input, expected) => {
    const { body } = await app.admin.post(path(app.employee.collaborator_id), input).expect(400);
    const codes = Object.entries(body.details as Record<string, { code: string }[]>);
    expect(Object.keys(body.details)).toEqual(Object.keys(expected));
    for (const [field, errors] of codes) {
      expect(errors.map(({ code }) => code)).toEqual(
        expect.arrayContaining((expected as Record<string, string[]>)[field]!),
      );
    }
  });
});

describe('conflicts', () => {
  test('returns 409 for the last active admin', async () => {
    const { body } = await app.admin.post(path(app.admin.collaborator_id), { role: 'employee' }).expect(409);
    expect(body.error).toBe('last_admin');
  });

  test('a pending admin doesn’t count as an admin', async () => {
    const created = await app.admin
      .post('/v1/collaborators', { name: 'New Admin', email: 'new.admin@example.com', position: 'x', department: 'y' })
      .expect(201);
    await app.admin.post(path(created.body.id), { role: 'admin' }).expect(200);
    await app.admin.post(path(app.admin.collaborator_id), { role: 'manager' }).expect(409);
  });

  test('of two admins who demote each other at the same time, one stays admin', async () => {
    const own = await testApp();
    try {
      const { admin, manager, database } = own;
      for (let round = 0; round < 5; round++) {
        await database.query("update collaborators set role = 'admin' where id = any($1)", [
          [admin.collaborator_id, manager.collaborator_id],
        ]);
        const [first, second] = [await own.as('admin', {}), await own.as('manager', {})];
        const responses = await Promise.all([
          first.post(path(manager.collaborator_id), { role: 'employee' }),
          second.post(path(admin.collaborator_id), { role: 'employee' }),
        ]);
        expect(responses.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
        const admins = await database.query("select id from collaborators where role = 'admin' and company_id = $1", [
          own.company_id,
        ]);
        expect(admins).toHaveLength(1);
      }
    } finally {
      await own.close();
    }
  });
});

describe('forbidden by role', () => {
  test('returns 403 to managers and employees within reach, and 404 out of reach', async () => {
    const { body } = await app.manager.post(path(app.report.collaborator_id), { role: 'admin' }).expect(403);
    expect(body).toMatchObject({ error: 'forbidden', details: { required_role: 'admin' } });
    await app.manager.post(path(app.employee.collaborator_id), { role: 'admin' }).expect(404);
    await app.employee.post(path(app.employee.collaborator_id), { role: 'admin' }).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.post(path(app.employee.collaborator_id), { role: 'admin' }).expect(404);
  });
});

describe('emits', () => {
  test('emits collaborator.role_changed, and records the change in the history', async () => {
    const id = app.report.collaborator_id;
    await app.admin.post(path(id), { role: 'manager' }).expect(200);
    expect(await eventsOf(app, 'collaborator.role_changed', id)).toMatchObject([
      { collaborator_id: id, from: 'employee', to: 'manager', changed_by: app.admin.user_id },
    ]);
    const history = await app.database.query(
      "select changes from collaborator_history where action = 'role_changed' and collaborator_id = $1",
      [id],
    );
    expect(history).toEqual([{ changes: [{ field: 'role', from: 'employee', to: 'manager' }] }]);
  });
});
