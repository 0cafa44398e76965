import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addPerson, eventsOf } from '../../../helpers/identity/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}`;

describe('succeeds', () => {
  test('hides the person, frees the email, keeps the history, and revokes access', async () => {
    const { report } = app;
    const { total } = (await app.admin.get('/v1/collaborators').expect(200)).body.meta;
    const { body } = await app.admin.delete(path(report.collaborator_id)).expect(200);
    expect(body).toEqual({ id: report.collaborator_id, deleted: true, deleted_at: expect.stringMatching(/Z$/) });
    await app.admin.get(path(report.collaborator_id)).expect(404);
    await app.admin.delete(path(report.collaborator_id)).expect(404);
    const list = await app.admin.get('/v1/collaborators').expect(200);
    expect(list.body.meta.total).toBe(total - 1);
    await app.admin
      .post('/v1/collaborators', {
        name: 'Clara Second',
        email: 'clara.sousa@example.com',
        position: 'x',
        department: 'y',
      })
      .expect(201);
    const history = await app.database.query('select action from collaborator_history where collaborator_id = $1', [
      report.collaborator_id,
    ]);
    expect(history.map(({ action }) => action).sort()).toEqual(['created', 'deleted']);
    await eventually(async () => expect((await report.get('/v1/collaborators')).status).toBe(401));
  });

  test('moves reports to the next manager up, with an event each', async () => {
    const boss = await addPerson(app, 'Boss Body', { manager_id: app.admin.collaborator_id });
    const reports = [];
    for (const name of ['Under Boss', 'Second Report']) reports.push(await addPerson(app, name, { manager_id: boss }));
    await app.admin.delete(path(boss)).expect(200);
    for (const under of reports) {
      expect((await app.admin.get(path(under)).expect(200)).body.manager_id).toBe(app.admin.collaborator_id);
      expect(await eventsOf(app, 'collaborator.updated', under)).toMatchObject([
        { id: under, changed_fields: ['manager_id'], previous: { manager_id: boss } },
      ]);
    }
  });
});

describe('conflicts', () => {
  test('keeps the last active admin, even if two delete each other', async () => {
    const own = await testApp();
    try {
      const { admin, manager } = own;
      expect((await admin.delete(path(admin.collaborator_id)).expect(409)).body.error).toBe('last_admin');
      await own.database.query("update collaborators set role = 'admin' where id = $1", [manager.collaborator_id]);
      const other = await own.as('manager', {});
      const responses = await Promise.all([
        admin.delete(path(manager.collaborator_id)),
        other.delete(path(admin.collaborator_id)),
      ]);
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(200);
      expect([401, 403, 409]).toContain(statuses[1]);
      const left = "select 1 from collaborators where company_id = $1 and role = 'admin' and deleted_at is null";
      expect(await own.database.query(left, [own.company_id])).toHaveLength(1);
    } finally {
      await own.close();
    }
  });

  test('returns 412 if If-Match doesn’t match', async () => {
    const id = await addPerson(app, 'Iva Match');
    await app.admin.delete(path(id)).set('If-Match', '"old"').expect(412);
    const { etag } = (await app.admin.get(path(id))).headers;
    await app.admin.delete(path(id)).set('If-Match', etag!).expect(200);
  });

  test('adding a report while the manager is deleted never leaves them with a deleted manager', async () => {
    for (let round = 0; round < 5; round++) {
      const person = { name: 'Boss Body', email: `boss${round}@example.com`, position: 'x', department: 'y' };
      const boss = (await app.admin.post('/v1/collaborators', person).expect(201)).body.id;
      const below = { ...person, email: `below${round}@example.com`, manager_id: boss };
      const [created] = await Promise.all([
        app.admin.post('/v1/collaborators', below),
        app.admin.delete(path(boss)).expect(200),
      ]);
      if (created!.status === 201) {
        expect((await app.admin.get(path(created!.body.id))).body.manager_id).toBeNull();
      } else expect(created!.body.details.manager_id[0].code).toBe('not_found');
    }
  });
});

describe('forbidden by role', () => {
  test('returns 403 within reach, and 404 out of reach', async () => {
    await app.manager
      .delete(path(await addPerson(app, 'Team', { manager_id: app.manager.collaborator_id })))
      .expect(403);
    await app.manager.delete(path(app.employee.collaborator_id)).expect(404);
    await app.employee.delete(path(app.employee.collaborator_id)).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.delete(path(app.employee.collaborator_id)).expect(404);
  });
});

describe('emits', () => {
  test('emits collaborator.deleted', async () => {
    const id = await addPerson(app, 'Gone');
    await app.admin.delete(path(id)).expect(200);
    expect(await eventsOf(app, 'collaborator.deleted', id)).toMatchObject([
      { collaborator_id: id, deleted_by: app.admin.user_id },
    ]);
  });
});
