import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addPerson, eventsOf } from '../../../helpers/identity/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const one = (id: string) => `/v1/collaborators/${id}`;
const path = (id: string) => `${one(id)}/restore`;

describe('succeeds', () => {
  test('restores id, role, and status; old tokens stay revoked, new ones work', async () => {
    const id = app.report.collaborator_id;
    const before = (await app.admin.get(one(id))).body;
    await app.admin.delete(one(id)).expect(200);
    const { body, headers } = await app.admin.post(path(id)).expect(200);
    expect({ ...body, updated_at: before.updated_at }).toEqual(before);
    expect(headers.etag).toBe((await app.admin.get(one(id)).expect(200)).headers.etag);
    await app.report.get('/v1/collaborators').expect(401);
    await (await app.as('report', {})).get('/v1/collaborators').expect(200);
  });

  test('returns 200 and changes nothing if not deleted', async () => {
    const id = await addPerson(app, 'Never deleted');
    const before = await app.admin.get(one(id)).expect(200);
    const { body, headers } = await app.admin.post(path(id)).expect(200);
    expect([body, headers.etag]).toEqual([before.body, before.headers.etag]);
    expect((await app.admin.get(one(id)).expect(200)).headers.etag).toBe(before.headers.etag);
    expect(await eventsOf(app, 'collaborator.restored', id)).toEqual([]);
  });

  test('leaves out a manager who is deleted too', async () => {
    const boss = await addPerson(app, 'Boss Body');
    const id = await addPerson(app, 'Under Boss', { manager_id: boss });
    await app.admin.delete(one(id)).expect(200);
    await app.admin.delete(one(boss)).expect(200);
    expect((await app.admin.post(path(id)).expect(200)).body.manager_id).toBeNull();
  });
});

describe('conflicts', () => {
  test('rejects if the email is in use', async () => {
    const id = await addPerson(app, 'Clara First', { email: 'clara.1@example.com' });
    await app.admin.delete(one(id)).expect(200);
    const person = { name: 'Clara Second', email: 'CLARA.1@example.com', position: 'x', department: 'y' };
    await app.admin.post('/v1/collaborators', person).expect(201);
    expect((await app.admin.post(path(id)).expect(409)).body.error).toBe('email_taken');
    await app.admin.get(one(id)).expect(404);
  });

  test('rejects if an external id is in use', async () => {
    const id = await addPerson(app, 'Numbered');
    const ids = { external_id: 'hr-1', employee_number: '0001' };
    await app.admin.put(one(id), ids).expect(200);
    await app.admin.delete(one(id)).expect(200);
    const person = { name: 'Clara Second', email: 'clara.2@example.com', position: 'x', department: 'y' };
    const { body: other } = await app.admin.post('/v1/collaborators', { ...person, ...ids }).expect(201);
    const { body } = await app.admin.post(path(id)).expect(409);
    expect(body).toMatchObject({
      error: 'conflict',
      details: { external_id: [{ code: 'taken' }], employee_number: [{ code: 'taken' }] },
    });
    await app.admin.put(one(other.id), { external_id: null, employee_number: '0002' }).expect(200);
    expect((await app.admin.post(path(id)).expect(200)).body).toMatchObject(ids);
  });

  test('rejects if deleted more than 30 days ago', async () => {
    const id = await addPerson(app, 'Long gone');
    await app.admin.delete(one(id)).expect(200);
    await app.database.query("update collaborators set deleted_at = now() - interval '31 days' where id = $1", [id]);
    await app.admin.post(path(id)).expect(404);
  });
});

describe('forbidden by role', () => {
  test('rejects a manager, also for a deleted person of the team', async () => {
    await app.manager.post(path(app.report.collaborator_id)).expect(403);
    const id = await addPerson(app, 'Of the team', { manager_id: app.manager.collaborator_id });
    await app.admin.delete(one(id)).expect(200);
    await app.manager.post(path(id)).expect(403);
    await app.admin.get(one(id)).expect(404);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    const id = await addPerson(app, 'Ours');
    await app.admin.delete(one(id)).expect(200);
    await app.outsider.post(path(id)).expect(404);
    await app.admin.get(one(id)).expect(404);
    await app.admin.post(path(id)).expect(200);
  });
});

describe('emits', () => {
  test('emits collaborator.restored, and adds a history entry', async () => {
    const id = await addPerson(app, 'Back again');
    await app.admin.delete(one(id)).expect(200);
    await app.admin.post(path(id)).expect(200);
    expect(await eventsOf(app, 'collaborator.restored', id)).toMatchObject([{ id }]);
    const history = await app.database.query('select action from collaborator_history where collaborator_id = $1', [
      id,
    ]);
    expect(history.filter(({ action }) => action === 'restored')).toHaveLength(1);
  });
});
