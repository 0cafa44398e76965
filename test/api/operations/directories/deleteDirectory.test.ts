import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDirectory } from '../../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('revokes the token, keeps people unchanged, and emits directory.deleted', async () => {
  const directory = await addDirectory(app);
  const { body: person } = await directory.post('/Users', { userName: 'ana@delete.example' }).expect(201);
  await directory.post('/Groups', { displayName: 'Some', members: [{ value: person.id }] }).expect(201);
  const before = (await app.admin.get(`/v1/collaborators/${person.id}`).expect(200)).body;
  await directory.get('/Users').expect(200);
  const { body } = await app.admin.delete(`/v1/directories/${directory.id}`).expect(200);
  expect(body).toEqual({ id: directory.id, deleted: true, deleted_at: expect.stringMatching(/Z$/) });
  await directory.get('/Users').expect(401);
  const after = (await app.admin.get(`/v1/collaborators/${person.id}`).expect(200)).body;
  expect(after).toEqual({ ...before, managed_by: null, updated_at: expect.any(String) });
  for (const table of ['people', 'groups', 'members', 'errors', 'syncs']) {
    expect(await app.database.query(`select 1 from directory_${table}`)).toEqual([]);
  }
  const events = await app.database.query(
    "select payload::json ->> 'id' as id from events where name = 'directory.deleted'",
  );
  expect(events).toEqual([{ id: directory.id }]);
  await app.admin.delete(`/v1/directories/${directory.id}`).expect(404);
});
