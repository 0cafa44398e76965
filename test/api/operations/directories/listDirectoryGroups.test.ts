import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDirectory } from '../../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('lists groups by name, with member counts and roles, in pages', async () => {
  const directory = await addDirectory(app);
  const { body: person } = await directory.post('/Users', { userName: 'ana@groups.example' }).expect(201);
  await directory.post('/Groups', { displayName: 'beta' }).expect(201);
  const { body: alpha } = await directory.post('/Groups', {
    displayName: 'Alpha',
    externalId: 'a',
    members: [{ value: person.id }],
  });
  await app.admin.patch(`/v1/directories/${directory.id}`, { role_mapping: [{ group_id: alpha.id, role: 'manager' }] });
  const path = `/v1/directories/${directory.id}/groups`;
  const { body } = await app.admin.get(`${path}?limit=1`).expect(200);
  expect(body.data).toEqual([
    { id: alpha.id, name: 'Alpha', external_id: 'a', member_count: 1, role: 'manager', updated_at: expect.any(String) },
  ]);
  const { body: next } = await app.admin.get(`${path}?limit=1&cursor=${body.pagination.nextCursor}`).expect(200);
  expect(next).toMatchObject({ data: [{ name: 'beta', member_count: 0, role: null }], pagination: { hasMore: false } });
});
