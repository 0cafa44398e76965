import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory, type TestDirectory } from '../../helpers/resources/directories.ts';

let app: TestApp;
let directory: TestDirectory;
beforeAll(async () => {
  app = await testApp();
  directory = await addDirectory(app);
});
afterAll(() => app.close());

const add = async (): Promise<string> =>
  (await directory.post('/Users', { userName: `${randomUUID()}@verdelog.example` }).expect(201)).body.id;
const group = async (...members: string[]) =>
  (
    await directory
      .post('/Groups', { displayName: randomUUID(), members: members.map((value) => ({ value })) })
      .expect(201)
  ).body;
const join = (groupId: string, value: string) =>
  directory.patch(`/Groups/${groupId}`, { op: 'add', path: 'members', value: [{ value }] }).expect(204);
const membersOf = async (id: string) =>
  ((await directory.get(`/Groups/${id}`).expect(200)).body.members ?? []).map(({ value }: { value: string }) => value);
const roleOf = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body.role;
const map = (...mapping: [groupId: string, role: string][]) =>
  app.admin.patch(`/v1/directories/${directory.id}`, {
    role_mapping: mapping.map(([group_id, role]) => ({ group_id, role })),
  });

test('stores a group with its members, and shows the groups of a person', async () => {
  const [ana, rui] = [await add(), await add()];
  const created = await group(ana, rui);
  expect(created).toMatchObject({ displayName: expect.any(String), meta: { resourceType: 'Group' } });
  expect((await membersOf(created.id)).sort()).toEqual([ana, rui].sort());
  const { body } = await directory.get(`/Users/${ana}`).expect(200);
  expect(body.groups).toEqual([expect.objectContaining({ value: created.id, display: created.displayName })]);
  const { body: list } = await directory
    .get(`/Groups?filter=displayName eq "${created.displayName.toUpperCase()}"&excludedAttributes=members`)
    .expect(200);
  expect(list).toMatchObject({ totalResults: 1, Resources: [{ id: created.id }] });
  expect(list.Resources[0].members).toBeUndefined();
  const { body: matching } = await directory.get(`/Groups?filter=members.value eq "${ana}"`).expect(200);
  expect(matching.totalResults).toBe(1);
  await directory.post('/Groups', { displayName: created.displayName.toUpperCase() }).expect(409);
  await directory.delete(`/Groups/${created.id}`).expect(204);
  await directory.get(`/Groups/${created.id}`).expect(404);
});

test('adds and removes members by PATCH, in every form that providers send', async () => {
  const [ana, rui, eva] = [await add(), await add(), await add()];
  const { id } = await group();
  const patch = async (...operations: object[]) => {
    await directory.patch(`/Groups/${id}`, ...operations).expect(204);
    return (await membersOf(id)).sort();
  };
  expect(await patch({ op: 'Add', path: 'members', value: [{ value: ana }, { value: rui.toUpperCase() }] })).toEqual(
    [ana, rui].sort(),
  );
  expect(await patch({ op: 'add', value: { members: [{ value: eva }] } })).toEqual([ana, rui, eva].sort());
  expect(await patch({ op: 'remove', path: `members[value eq "${ana}"]` })).toEqual([rui, eva].sort());
  expect(await patch({ op: 'Remove', path: 'members', value: [{ value: rui }] })).toEqual([eva]);
  expect(await patch({ op: 'replace', path: 'members', value: [{ value: ana }] })).toEqual([ana]);
  expect(await patch({ op: 'replace', value: { id, displayName: randomUUID() } })).toEqual([ana]);
  expect(await patch({ op: 'remove', path: 'members' })).toEqual([]);
  const before = (await directory.get(`/Groups/${id}`)).body.meta.version;
  await patch({ op: 'remove', path: 'members' });
  expect((await directory.get(`/Groups/${id}`)).body.meta.version).toBe(before);
});

test('responds to a PATCH without a body, unless attributes are requested', async () => {
  const [ana, { id }] = [await add(), await group()];
  const operation = { op: 'add', path: 'members', value: [{ value: ana }] };
  const { text, headers } = await directory.patch(`/Groups/${id}`, operation).expect(204);
  expect(text ?? '').toBe('');
  const { body: whole } = await directory.patch(`/Groups/${id}?attributes=members`, operation).expect(200);
  expect(whole).toMatchObject({ id, members: [{ value: ana }] });
  const { headers: now } = await directory.get(`/Groups/${id}`).expect(200);
  expect(now.etag).toBe(headers.etag);
});

test('applies operations in order, with the outcome of the last', async () => {
  const [ana, rui, eva] = [await add(), await add(), await add()];
  const { id } = await group(ana);
  const one = (op: string, value: string) => ({ op, path: 'members', value: [{ value }] });
  const patch = (...operations: object[]) => directory.patch(`/Groups/${id}`, ...operations).expect(204);
  await patch(one('add', rui), { op: 'remove', path: `members[value sw "${rui.slice(0, 13)}"]` }, one('add', eva));
  expect(await membersOf(id)).toEqual([eva].concat(ana.startsWith(rui.slice(0, 13)) ? [] : [ana]).sort());
  await patch(one('replace', ana), one('add', rui), one('remove', ana));
  expect(await membersOf(id)).toEqual([rui]);
  await patch({ op: 'remove', path: 'members' }, one('add', eva), { op: 'remove', path: `members[value eq "${eva}"]` });
  expect(await membersOf(id)).toEqual([]);
});

test('are found by a member', async () => {
  const [ana, rui] = [await add(), await add()];
  const { id } = await group(ana);
  const found = async (filter: string) =>
    (await directory.get(`/Groups?filter=${encodeURIComponent(filter)}`).expect(200)).body.totalResults;
  expect(await found(`id eq "${id.toUpperCase()}" and members eq "${ana.toUpperCase()}"`)).toBe(1);
  expect(await found(`id eq "${id}" and members.value eq "${rui}"`)).toBe(0);
  expect(await found(`id eq "${id}" and not (members eq "${rui}")`)).toBe(1);
  expect(await found(`id eq "nobody" or members eq "nobody"`)).toBe(0);
});

test('accepts only people of the directory as members', async () => {
  const other = await addDirectory(app);
  const { id } = (await other.post('/Users', { userName: `${randomUUID()}@verdelog.example` }).expect(201)).body;
  for (const value of [id, app.employee.collaborator_id, randomUUID(), 'x', 7]) {
    const { body } = await directory.post('/Groups', { displayName: randomUUID(), members: [{ value }] }).expect(400);
    expect(body.scimType).toBe('invalidValue');
  }
});

test('doesn’t have people deleted here as members, until they return', async () => {
  const sent = { userName: `${randomUUID()}@verdelog.example` };
  const { id } = (await directory.post('/Users', sent).expect(201)).body;
  const [before, after] = [await group(id), await group()];
  await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
  const members = async () => (await directory.get(`/Groups/${before.id}`).expect(200)).body.members;
  expect(await members()).toEqual([]);
  const counts = (await app.admin.get(`/v1/directories/${directory.id}/groups?limit=100`).expect(200)).body.data;
  expect(counts.find((each: { id: string }) => each.id === before.id).member_count).toBe(0);
  await directory.patch(`/Groups/${after.id}`, { op: 'add', path: 'members', value: [{ value: id }] }).expect(400);
  await directory.post('/Users', sent).expect(201);
  expect(await members()).toHaveLength(1);
});

describe('roles', () => {
  test('follow membership in a mapped group', async () => {
    const [ana, rui] = [await add(), await add()];
    const leads = await group(ana);
    expect(await roleOf(ana)).toBe('employee');
    await map([leads.id, 'manager']).expect(200);
    expect(await roleOf(ana)).toBe('manager');
    await directory.patch(`/Groups/${leads.id}`, { op: 'add', path: 'members', value: [{ value: rui }] }).expect(204);
    expect(await roleOf(rui)).toBe('manager');
    const admins = await group(rui);
    await map([leads.id, 'manager'], [admins.id, 'admin']).expect(200);
    expect(await roleOf(rui)).toBe('admin');
    await directory.delete(`/Groups/${admins.id}`).expect(204);
    expect(await roleOf(rui)).toBe('manager');
    await directory.delete(`/Users/${rui}`).expect(204);
    expect(await roleOf(rui)).toBe('employee');
    await map().expect(200);
    expect(await roleOf(ana)).toBe('employee');
  });

  test('are lost by people who left the group while they were deleted', async () => {
    const [ana, rui, eva] = [await add(), await add(), await add()];
    const admins = await group(ana, rui, eva);
    const leads = await group(eva);
    await map([admins.id, 'admin'], [leads.id, 'manager']).expect(200);
    for (const id of [ana, rui, eva]) await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
    await directory.patch(`/Groups/${admins.id}`, { op: 'remove', path: `members[value eq "${ana}"]` }).expect(204);
    await directory.patch(`/Groups/${admins.id}`, { op: 'remove', path: `members[value eq "${eva}"]` }).expect(204);
    const restored = async (id: string) =>
      (await app.admin.post(`/v1/collaborators/${id}/restore`).expect(200)).body.role;
    expect([await restored(ana), await restored(rui), await restored(eva)]).toEqual(['employee', 'admin', 'manager']);
    expect([await roleOf(ana), await roleOf(rui), await roleOf(eva)]).toEqual(['employee', 'admin', 'manager']);
    await map().expect(200);
  });

  test('assigned by someone else stay', async () => {
    const ana = await add();
    await app.admin.post(`/v1/collaborators/${ana}/role`, { role: 'admin' }).expect(200);
    const leads = await group(ana);
    await map([leads.id, 'manager']).expect(200);
    expect(await roleOf(ana)).toBe('admin');
    await directory.patch(`/Groups/${leads.id}`, { op: 'remove', path: 'members' }).expect(204);
    expect(await roleOf(ana)).toBe('admin');
  });

  test('assigned by someone else stay after the person has left the group, whatever other groups they join', async () => {
    const ana = await add();
    const [leads, others] = [await group(ana), await group()];
    await map([leads.id, 'manager']).expect(200);
    const setRole = (role: string) => app.admin.post(`/v1/collaborators/${ana}/role`, { role }).expect(200);
    await setRole('admin');
    await directory.patch(`/Groups/${leads.id}`, { op: 'remove', path: 'members' }).expect(204);
    await setRole('manager');
    await join(others.id, ana);
    expect(await roleOf(ana)).toBe('manager');
  });

  test('are given again to people who return to the group, even if an admin lowered theirs before', async () => {
    const ana = await add();
    const leads = await group(ana);
    await map([leads.id, 'manager']).expect(200);
    await app.admin.post(`/v1/collaborators/${ana}/role`, { role: 'employee' }).expect(200);
    await directory.patch(`/Groups/${leads.id}`, { op: 'remove', path: 'members' }).expect(204);
    expect(await roleOf(ana)).toBe('employee');
    await join(leads.id, ana);
    expect(await roleOf(ana)).toBe('manager');
  });

  test.each([true, false])(
    'end with membership, also for people deleted here and sent again (group kept: %j)',
    async (isKept) => {
      const sent = { userName: `${randomUUID()}@verdelog.example` };
      const { id } = (await directory.post('/Users', sent).expect(201)).body;
      const leads = await group(id);
      await map([leads.id, 'admin']).expect(200);
      await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
      if (!isKept) await map().expect(200);
      expect((await directory.post('/Users', sent).expect(201)).body.id).toBe(id);
      expect(await roleOf(id)).toBe(isKept ? 'admin' : 'employee');
      await directory.patch(`/Groups/${leads.id}`, { op: 'remove', path: 'members' }).expect(204);
      expect(await roleOf(id)).toBe('employee');
    },
  );

  test('of many members change with their history and events', async () => {
    const people = [];
    for (let count = 0; count < 3; count++) people.push(await add());
    const leads = await group(...people);
    const counted = async () => {
      const [row] = await app.database.query<{ history: number; events: number }>(
        `select (select count(*)::int from collaborator_history where action = 'role_changed') as history,
          (select count(*)::int from events where name = 'collaborator.role_changed') as events`,
      );
      return row!;
    };
    const before = await counted();
    await map([leads.id, 'manager']).expect(200);
    expect(await Promise.all(people.map(roleOf))).toEqual(people.map(() => 'manager'));
    await map([leads.id, 'admin']).expect(200);
    await map().expect(200);
    expect(await Promise.all(people.map(roleOf))).toEqual(people.map(() => 'employee'));
    const after = await counted();
    expect([after.history - before.history, after.events - before.events]).toEqual([9, 9]);
  });

  test('depend on the id of a group, not its name', async () => {
    const ana = await add();
    const leads = await group();
    await map([leads.id, 'admin']).expect(200);
    const { displayName } = leads;
    await directory.delete(`/Groups/${leads.id}`).expect(204);
    await directory.post('/Groups', { displayName, members: [{ value: ana }] }).expect(201);
    expect(await roleOf(ana)).toBe('employee');
  });

  test('changes are reported to admins by email, only for existing groups', async () => {
    const leads = await group();
    const mails = async () =>
      (
        await app.database.query(
          "select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'sendMail'",
        )
      ).length;
    const before = await mails();
    await map([leads.id, 'manager']).expect(200);
    expect(await mails()).toBeGreaterThan(before);
    const after = await mails();
    await map([leads.id, 'manager']).expect(200);
    expect(await mails()).toBe(after);
    const { body } = await map([randomUUID(), 'admin']).expect(400);
    expect(body.details).toEqual({ 'role_mapping.0.group_id': [expect.objectContaining({ code: 'not_found' })] });
  });
});
