import { activeCompanies } from '../../../../src/identity/grants/consent.ts';
import { createPerson } from '../../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { testDatabase } from '../../../helpers/database/database.ts';

let app: TestApp;
let statements: string[] = [];
beforeAll(async () => {
  const observer = { statement: (text: string) => void statements.push(text), acquired: () => {} };
  app = await testApp({}, await testDatabase(10, { observer }));
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}/activate`;
let serial = 0;
async function pending(): Promise<string> {
  serial += 1;
  const person = { name: 'Nora Neu', email: `nora${serial}@example.com`, position: 'x', department: 'y' };
  return (await app.admin.post('/v1/collaborators', person).expect(201)).body.id;
}

describe('succeeds', () => {
  test('activates a pending person, and records reason and author', async () => {
    const id = await pending();
    const { body } = await app.admin.post(path(id), { reason: 'Started early' }).expect(200);
    expect(body).toMatchObject({
      collaborator_id: id,
      status: 'active',
      reason: 'Started early',
      changed_by: app.admin.user_id,
      allowed_transitions: ['inactive'],
    });
    expect((await app.admin.get(`/v1/collaborators/${id}`)).body.status).toBe('active');
  });

  test('works without a body', async () => {
    const { body } = await app.admin.post(path(await pending())).expect(200);
    expect(body).toMatchObject({ status: 'active', reason: null });
  });

  test('returns 200 and changes nothing if already active', async () => {
    const id = app.report.collaborator_id;
    const count = () => app.database.query("select count(*) from events where name = 'collaborator.status_changed'");
    const before = await count();
    const person = (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;
    expect((await app.admin.post(path(id), { reason: 'again' }).expect(200)).body.reason).toBeNull();
    expect(await count()).toEqual(before);
    expect((await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body).toEqual(person);
    const changes = "select 1 from collaborator_history where action = 'status_changed' and collaborator_id = $1";
    expect(await app.database.query(changes, [id])).toEqual([]);
  });

  test('a person who accepted once can sign in again, but old tokens stay revoked', async () => {
    const { employee } = app;
    await app.admin.post(`/v1/collaborators/${employee.collaborator_id}/deactivate`).expect(200);
    await app.admin.post(path(employee.collaborator_id)).expect(200);
    const { status } = await employee.get('/v1/collaborators');
    expect([401, 403]).toContain(status);
    const fresh = await app.as('employee', {});
    await fresh.get('/v1/collaborators').expect(200);
  });

  test('gives no access to people who never accepted, even if a user has that address', async () => {
    const elsewhere = await createPerson(app.database.db, app.outsider.company_id, {
      name: 'Two Companies',
      email: 'two@example.com',
      position: 'x',
      department: 'y',
      password: 'correct horse battery staple',
    });
    const person = { name: 'Two Companies', email: 'TWO@example.com', position: 'x', department: 'y' };
    const { body } = await app.admin.post('/v1/collaborators', person).expect(201);
    await app.admin.post(path(body.id)).expect(200);
    const rows = await app.database.query('select company_id from memberships where user_id = $1', [elsewhere.user_id]);
    expect(rows).toEqual([{ company_id: app.outsider.company_id }]);
    const [row] = await app.database.query('select user_id, accepted_at from collaborators where id = $1', [body.id]);
    expect(row).toEqual({ user_id: null, accepted_at: null });
    const companies = (await activeCompanies(app.database.db, elsewhere.user_id)).map(({ id }) => id);
    expect(companies).toEqual([app.outsider.company_id]);
  });

  test('returns the same and runs the same statements whether the address has an account or not', async () => {
    const outcome = async (email: string) => {
      const person = { name: 'Same', email, position: 'x', department: 'y' };
      const { body } = await app.admin.post('/v1/collaborators', person).expect(201);
      statements = [];
      const response = (await app.admin.post(path(body.id)).expect(200)).body;
      const about = statements.filter((text) => /\b(collaborators|users|memberships|invitations)\b/.test(text));
      return { ...response, collaborator_id: 'id', since: 'time', statements: about };
    };
    await createPerson(app.database.db, app.outsider.company_id, {
      name: 'Known',
      email: 'known@example.com',
      position: 'x',
      department: 'y',
      password: 'correct horse battery staple',
    });
    await outcome('first@example.com'); // caches the caller
    const known = await outcome('known@example.com');
    expect(known.statements).not.toEqual([]);
    expect(known).toEqual(await outcome('unknown@example.com'));
  });

  test('reactivates an inactive person who never accepted, still without access', async () => {
    const id = await pending();
    await app.admin.post(`/v1/collaborators/${id}/deactivate`).expect(200);
    const { body } = await app.admin.get(`/v1/collaborators/${id}/status`).expect(200);
    expect(body.allowed_transitions).toEqual(['active', 'pending']);
    await app.admin.post(path(id)).expect(200);
    expect(await app.database.query('select user_id from collaborators where id = $1', [id])).toEqual([
      { user_id: null },
    ]);
  });
});

describe('refuses bad input', () => {
  test.each([[{ reason: 5 }], [{ reason: 'x'.repeat(501) }], [{ status: 'inactive' }]])('rejects %j', async (body) => {
    await app.admin.post(path(app.report.collaborator_id), body).expect(400);
  });
});

describe('conflicts', () => {
  test('an admin who never accepted doesn’t count: the last one who did must stay', async () => {
    const id = await pending();
    await app.admin.post(path(id)).expect(200);
    await app.admin.post(`/v1/collaborators/${id}/role`, { role: 'admin' }).expect(200);
    const { collaborator_id: collaboratorId } = app.admin;
    const { body } = await app.admin.post(`/v1/collaborators/${collaboratorId}/deactivate`).expect(409);
    expect(body.error).toBe('last_admin');
    await app.admin.post(`/v1/collaborators/${collaboratorId}/role`, { role: 'employee' }).expect(409);
    await app.admin.delete(`/v1/collaborators/${collaboratorId}`).expect(409);
    const items = [{ id: collaboratorId, status: 'inactive' }];
    const bulk = await app.admin.post('/v1/collaborators/bulk', { mode: 'update', items }).expect(200);
    expect(bulk.body.results[0].error.error).toBe('last_admin');
  });
});

describe('forbidden by role', () => {
  test('returns 403 to a manager for their team, and to employees for themselves', async () => {
    await app.manager.post(path(app.report.collaborator_id)).expect(403);
    await app.report.post(path(app.report.collaborator_id)).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.post(path(app.report.collaborator_id)).expect(404);
  });
});

describe('emits', () => {
  test('emits collaborator.status_changed, and adds a history entry', async () => {
    const id = await pending();
    await app.admin.post(path(id), { reason: 'ready' }).expect(200);
    const events = await app.database.query(
      "select payload::json from events where name = 'collaborator.status_changed' and payload::json->>'collaborator_id' = $1",
      [id],
    );
    expect(events).toMatchObject([
      { payload: { from: 'pending', to: 'active', reason: 'ready', changed_by: app.admin.user_id } },
    ]);
    const history = await app.database.query(
      "select changes from collaborator_history where action = 'status_changed' and collaborator_id = $1",
      [id],
    );
    expect(history).toEqual([{ changes: [{ field: 'status', from: 'pending', to: 'active' }] }]);
  });
});
