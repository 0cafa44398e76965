import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory } from '../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const counted = async (name: string): Promise<Record<string, number>> => {
  const { values } = await app.registry.getSingleMetric(name)!.get();
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
};

test('count requests by operation and result, and what they changed', async () => {
  const directory = await addDirectory(app);
  const userName = `${randomUUID()}@verdelog.example`;
  const { body } = await directory.post('/Users', { userName }).expect(201);
  await directory.post('/Users', { userName }).expect(409);
  await directory.patch(`/Users/${body.id}`, { op: 'replace', path: 'title', value: 'Driver' }).expect(200);
  await directory.patch(`/Users/${body.id}`, { op: 'replace', path: 'title', value: 'Driver' }).expect(200);
  await directory.post('/Groups', { displayName: 'Drivers', members: [{ value: body.id }] }).expect(201);
  await directory.delete(`/Users/${body.id}`).expect(204);
  await directory.get('/Nothing').expect(404);
  await directory.get('/Me').expect(501);
  await app.anon.get(`/scim/v2/${directory.id}/Users`).expect(401);
  expect(await counted('scim_requests_total')).toEqual({
    'createUser succeeded': 1,
    'createUser refused': 1,
    'patchUser succeeded': 2,
    'createGroup succeeded': 1,
    'deleteUser succeeded': 1,
    'unknown refused': 2,
    'unknown unauthorized': 1,
  });
  expect(await counted('directory_changes_total')).toEqual({
    'person created': 1,
    'person changed': 1,
    'person unchanged': 1,
    'group created': 1,
    'person removed': 1,
  });
});
