import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory, enterpriseUrn, type TestDirectory } from '../../helpers/resources/directories.ts';

let app: TestApp;
let directory: TestDirectory;
beforeAll(async () => {
  app = await testApp();
  directory = await addDirectory(app);
});
afterAll(() => app.close());

const address = () => `${randomUUID()}@verdelog.example`;
const reportingTo = (value: string) => ({ [enterpriseUrn]: { manager: { value } } });
const managerPath = `${enterpriseUrn}:manager`;
const record = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;
const managerOf = async (id: string) => (await record(id)).manager_id;
const add = async (more: object = {}, provider = directory) =>
  (await provider.post('/Users', { userName: address(), externalId: randomUUID(), ...more }).expect(201)).body;
const addHere = async (more: object = {}) => {
  const fields = { name: 'Ada Silva', email: address(), position: 'Lead', department: 'Fleet', ...more };
  return (await app.admin.post('/v1/collaborators', fields).expect(201)).body;
};

describe('a manager who closes a cycle', () => {
  const pairInCycle = async () => {
    const second = address();
    const first = await add(reportingTo(second));
    return { first: first.id, second: (await add({ userName: second, ...reportingTo(first.id) })).id };
  };

  test('doesn’t prevent other changes of the person, above all a deactivation', async () => {
    const { first, second } = await pairInCycle();
    const itself = address();
    const own = await add({ userName: itself, ...reportingTo(itself) });
    for (const id of [first, second, own.id]) {
      await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }).expect(200);
      const { body } = await directory.get(`/Users/${id}`).expect(200);
      await directory.put(`/Users/${id}`, { ...body, title: 'Lead' }).expect(200);
      expect(await record(id)).toMatchObject({ status: 'inactive', position: 'Lead' });
    }
    expect([await managerOf(first), await managerOf(second), await managerOf(own.id)]).toEqual([null, first, null]);
  });

  test('is refused when the provider changes the manager to them', async () => {
    const { id } = await add();
    const report = await add(reportingTo(id));
    for (const value of [id, report.id])
      await directory.patch(`/Users/${id}`, { op: 'replace', path: managerPath, value }).expect(400);
  });
});

test('a manager who hasn’t come leaves the present one, also when the same person is sent again', async () => {
  const { id: managerId } = await addHere();
  const { id, email } = await addHere({ manager_id: managerId });
  const sent = { userName: email, ...reportingTo('later') };
  await directory.post('/Users', sent).expect(201);
  await directory.put(`/Users/${id}`, sent).expect(200);
  await directory.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Lead' }).expect(200);
  expect(await managerOf(id)).toBe(managerId);
  const { id: later } = await add({ externalId: 'later' });
  expect(await managerOf(id)).toBe(later);
  await directory.patch(`/Users/${id}`, { op: 'replace', path: managerPath, value: 'another' }).expect(200);
  expect(await managerOf(id)).toBeNull();
});

test.each(['userName', 'externalId'])('a manager gets those who wait for them by a new %s', async (path) => {
  const name = address();
  const { id } = await add(reportingTo(name));
  const manager = await add();
  await directory.patch(`/Users/${manager.id}`, { op: 'replace', path, value: name }).expect(200);
  expect(await managerOf(id)).toBe(manager.id);
});

test.each([
  ['a user name in any case', 'userName', 'Rita@Verdelog.example', 'rita@verdelog.Example', true],
  ['a user name sent in lower case', 'userName', 'rui@verdelog.example', 'Rui@Verdelog.example', true],
  ['an external ID only in the same case', 'externalId', '00uAbC', '00uabc', false],
  ['an external ID in lower case only in the same case', 'externalId', '00udef', '00uDEF', false],
])('a manager who hasn’t come is found by %s', async (_name, path, named, sent, isFound) => {
  const { id } = await add(reportingTo(named));
  const { id: other } = await add({ [path]: sent });
  expect(await managerOf(id)).toBe(isFound ? other : null);
  if (isFound) return;
  const { id: exact } = await add({ [path]: named });
  expect(await managerOf(id)).toBe(exact);
});

test('a manager gets those who wait for them by a user name in another case', async () => {
  const name = address();
  const { id } = await add(reportingTo(name.toUpperCase()));
  const manager = await add();
  await directory.patch(`/Users/${manager.id}`, { op: 'replace', path: 'userName', value: name }).expect(200);
  expect(await managerOf(id)).toBe(manager.id);
});

test('a manager whom the directory deletes and sends again gets their reports back', async () => {
  const deleting = await addDirectory(app, { on_delete: 'delete' });
  const sent = { userName: address(), externalId: randomUUID() };
  const { id: managerId } = await add(sent, deleting);
  const { id } = await add(reportingTo(managerId), deleting);
  await deleting.delete(`/Users/${managerId}`).expect(204);
  await deleting.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Lead' }).expect(200);
  expect(await managerOf(id)).toBeNull();
  await deleting.post('/Users', sent).expect(201);
  expect(await managerOf(id)).toBe(managerId);
});

test('a deleted manager with an external ID in mixed case gets their reports back, however they were named', async () => {
  const deleting = await addDirectory(app, { on_delete: 'delete' });
  const sent = { userName: address(), externalId: `00uAbC${randomUUID()}` };
  const { id: managerId } = await add(sent, deleting);
  const reports = await Promise.all(
    [managerId, sent.externalId, sent.userName.toUpperCase()].map(
      async (name) => (await add(reportingTo(name), deleting)).id,
    ),
  );
  await deleting.delete(`/Users/${managerId}`).expect(204);
  expect(await Promise.all(reports.map(managerOf))).toEqual([null, null, null]);
  await deleting.post('/Users', sent).expect(201);
  expect(await Promise.all(reports.map(managerOf))).toEqual([managerId, managerId, managerId]);
});

test.each([
  ['the directory sends them again', false],
  ['an admin restores them', true],
])('a manager whom an admin deletes gets their managed reports back when %s', async (_name, isRestored) => {
  const sent = { userName: address(), externalId: `00uAbC${randomUUID()}` };
  const { id: managerId } = await add(sent);
  const reports = await Promise.all(
    [managerId, sent.externalId, sent.userName].map(async (name) => (await add(reportingTo(name))).id),
  );
  const { id: unmanaged } = await addHere({ manager_id: managerId });
  await app.admin.delete(`/v1/collaborators/${managerId}`).expect(200);
  await directory.patch(`/Users/${reports[0]}`, { op: 'replace', path: 'title', value: 'Lead' }).expect(200);
  expect(await Promise.all(reports.map(managerOf))).toEqual([null, null, null]);
  if (isRestored) await app.admin.post(`/v1/collaborators/${managerId}/restore`).expect(200);
  else await directory.post('/Users', sent).expect(201);
  expect(await Promise.all(reports.map(managerOf))).toEqual([managerId, managerId, managerId]);
  expect(await managerOf(unmanaged)).toBeNull();
});
