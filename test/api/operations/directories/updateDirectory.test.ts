import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDirectory } from '../../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('changes only the fields sent, and does nothing without a change', async () => {
  const { id } = await addDirectory(app);
  const path = `/v1/directories/${id}`;
  const before = (await app.admin.get(path)).body;
  const { body } = await app.admin.patch(path, { name: 'Entra', on_create: 'invite' }).expect(200);
  expect(body).toEqual({ ...before, name: 'Entra', on_create: 'invite', updated_at: expect.any(String) });
  expect((await app.admin.patch(path, { name: 'Entra' }).expect(200)).body).toEqual(body);
});

test('with If-Match, changes only the version that was read, whatever the provider sends meanwhile', async () => {
  const directory = await addDirectory(app);
  const path = `/v1/directories/${directory.id}`;
  const read = async () => (await app.admin.get(path).expect(200)).headers.etag!;
  const etag = await read();
  const { body: group } = await directory.post('/Groups', { displayName: 'Drivers' }).expect(201);
  await directory.post('/Users', { userName: 'etag@verdelog.example' }).expect(201);
  expect(await read()).toBe(etag);
  const mapping = { role_mapping: [{ group_id: group.id, role: 'manager' }] };
  const changed = await app.admin.patch(path, mapping).set('If-Match', etag).expect(200);
  const { body } = await app.admin.patch(path, { role_mapping: [] }).set('If-Match', etag).expect(412);
  expect(body.error).toBe('precondition_failed');
  expect((await app.admin.get(path)).body).toMatchObject(mapping);
  expect(await read()).toBe(changed.headers.etag);
  await app.admin.patch(path, { role_mapping: [] }).set('If-Match', changed.headers.etag!).expect(200);
});

test('rejects null, and what the contract doesn’t define', async () => {
  const { id } = await addDirectory(app);
  for (const change of [
    { name: null },
    { match_by: 'phone' },
    { token: 'x' },
    { role_mapping: [{ group_id: 'x', role: 'owner' }] },
  ]) {
    await app.admin.patch(`/v1/directories/${id}`, change).expect(400);
  }
});

test('returns 409 for a mapping that would remove the last admin', async () => {
  const directory = await addDirectory(app);
  const { email } = (await app.admin.get(`/v1/collaborators/${app.admin.collaborator_id}`)).body;
  const { body: person } = await directory.post('/Users', { userName: email }).expect(201);
  const { body: group } = await directory
    .post('/Groups', { displayName: 'Admins', members: [{ value: person.id }] })
    .expect(201);
  const path = `/v1/directories/${directory.id}`;
  await app.admin.patch(path, { role_mapping: [{ group_id: group.id, role: 'admin' }] }).expect(200);
  await app.database.query("update directory_people set given_role = 'admin' where collaborator_id = $1", [person.id]);
  const { body } = await app.admin.patch(path, { role_mapping: [] }).expect(409);
  expect(body.error).toBe('last_admin');
  expect((await app.admin.get(path)).body.role_mapping).toEqual([{ group_id: group.id, role: 'admin' }]);
});
