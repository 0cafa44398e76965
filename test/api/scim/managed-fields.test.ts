/** Fields that a directory manages, and changes of them by others. */
import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory, enterpriseUrn, type TestDirectory } from '../../helpers/resources/directories.ts';
import { csv, errorsOf, runImport, summarizeErrors } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
let directory: TestDirectory;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
  directory = await addDirectory(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const address = () => `${randomUUID()}@verdelog.example`;
const add = async (attributes: object = {}, to = directory): Promise<{ id: string; email: string }> => {
  const { body } = await to
    .post('/Users', { userName: address(), displayName: 'Mariana Duarte', title: 'Planner', ...attributes })
    .expect(201);
  return { id: body.id, email: body.userName };
};
const read = async (id: string, client = app.admin) => (await client.get(`/v1/collaborators/${id}`).expect(200)).body;
const change = (id: string, fields: object) => app.admin.patch(`/v1/collaborators/${id}`, fields);
const fieldsOf = async (id: string) => (await read(id)).managed_by?.fields;

describe('managed_by', () => {
  test('names the directory and the fields that it sends, in each response', async () => {
    const { id } = await add({ [enterpriseUrn]: { department: 'Fleet' }, externalId: randomUUID(), active: true });
    const managed = {
      directory_id: directory.id,
      directory_name: 'Okta',
      fields: ['name', 'email', 'position', 'department', 'external_id'],
    };
    expect((await read(id)).managed_by).toEqual(managed);
    const { body: list } = await app.admin.get('/v1/collaborators?limit=100&fields=managed_by').expect(200);
    expect(list.data.find((each: { id: string }) => each.id === id)).toEqual({ id, managed_by: managed });
    const { body: page } = await app.admin.get('/v1/collaborators?per_page=100').expect(200);
    expect(page.data.find((each: { id: string }) => each.id === id).managed_by).toEqual(managed);
    expect((await read(app.admin.collaborator_id!)).managed_by).toBeNull();
  });

  test('follows what the provider sends', async () => {
    const { id, email } = await add();
    expect(await fieldsOf(id)).toEqual(['name', 'email', 'position']);
    await directory.patch(`/Users/${id}`, { op: 'add', path: 'addresses', value: [{ locality: 'Porto' }] }).expect(200);
    await directory.patch(`/Users/${id}`, { op: 'remove', path: 'title' }).expect(200);
    expect(await fieldsOf(id)).toEqual(['name', 'email', 'location']);
    await directory.put(`/Users/${id}`, { userName: email, phoneNumbers: [{ value: '+55 11' }] }).expect(200);
    expect(await fieldsOf(id)).toEqual(['name', 'email', 'phone']);
  });

  test('names a manager who hasn’t come yet, because the directory decides', async () => {
    const { id } = await add({ [enterpriseUrn]: { manager: { value: 'later' } } });
    expect(await fieldsOf(id)).toContain('manager_id');
  });

  test('is the directory’s current name, and empty when the directory allows local changes', async () => {
    const other = await addDirectory(app, { name: 'Entra' });
    const { id } = await add({}, other);
    await app.admin.patch(`/v1/directories/${other.id}`, { name: 'Entra ID', on_local_change: 'allow' }).expect(200);
    expect((await read(id)).managed_by).toEqual({ directory_id: other.id, directory_name: 'Entra ID', fields: [] });
  });

  test('keeps the ETag of people until it changes', async () => {
    const { id } = await add();
    const etag = async () => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).headers.etag;
    const before = await etag();
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Planner' }).expect(200);
    expect(await etag()).toBe(before);
    // The position stays; it is only no longer managed.
    await directory.patch(`/Users/${id}`, { op: 'remove', path: 'title' }).expect(200);
    expect(await etag()).not.toBe(before);
  });
});

describe('changes by others', () => {
  test('return 409 with the fields, and change nothing', async () => {
    const { id } = await add();
    const { body } = await change(id, { position: 'Driver', name: 'Ana', location: 'Porto' }).expect(409);
    expect(body).toEqual({
      error: 'managed_by_directory',
      message: 'Okta manages fields of this person: name, position. Change them in Okta.',
      details: { directory_id: directory.id, managed_fields: ['name', 'position'] },
    });
    expect(await read(id)).toMatchObject({ name: 'Mariana Duarte', position: 'Planner', location: null });
  });

  test('are possible for fields that the directory doesn’t send, and for values sent back', async () => {
    const { id } = await add();
    const before = await read(id);
    const others = { department: 'Fleet', salary: 5000, hire_date: '2026-03-02', work_schedule: 'Full-time' };
    const { body } = await change(id, { ...before, ...others }).expect(200);
    expect(body).toMatchObject({ ...others, managed_by: before.managed_by });
  });

  test('are possible by managers and the person only where the directory doesn’t send the field', async () => {
    const email = address();
    const sent = { emails: [{ value: email }], phoneNumbers: [{ value: '+55 11' }] };
    const { id } = await add(sent);
    await app.admin.patch(`/v1/collaborators/${id}`, { manager_id: app.manager.collaborator_id }).expect(200);
    const { body } = await app.manager.patch(`/v1/collaborators/${id}`, { phone: '+55 12' }).expect(409);
    expect(body.error).toBe('managed_by_directory');
    await app.manager.patch(`/v1/collaborators/${id}`, { location: 'Porto' }).expect(200);
    const own = `/v1/collaborators/${app.employee.collaborator_id}`;
    const { email: userName } = await read(app.employee.collaborator_id!);
    await app.employee.patch(own, { phone: '+55 10' }).expect(200);
    await directory.post('/Users', { userName, phoneNumbers: [{ value: '+55 11' }] }).expect(201);
    expect((await app.employee.patch(own, { phone: '+55 12' }).expect(409)).body.error).toBe('managed_by_directory');
    await app.employee.patch(own, { emergency_contact: { name: 'Ada' } }).expect(200);
  });

  test('are possible when the directory allows them, until the provider sends the person again', async () => {
    const lenient = await addDirectory(app, { name: 'Entra', on_local_change: 'allow' });
    const { id } = await add({}, lenient);
    await change(id, { position: 'Driver' }).expect(200);
    await lenient.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Mariana D.' }).expect(200);
    expect((await read(id)).position).toBe('Planner');
    await app.admin.patch(`/v1/directories/${lenient.id}`, { on_local_change: 'refuse' }).expect(200);
    await change(id, { position: 'Driver' }).expect(409);
  });

  test('are errors of their items in bulk', async () => {
    const [managed, free] = [await add(), await add({ title: undefined })];
    const items = [managed, free].map(({ id }) => ({ id, position: 'Driver' }));
    const { body } = await app.admin.post('/v1/collaborators/bulk', { mode: 'update', items }).expect(200);
    expect(body.summary).toMatchObject({ succeeded: 1, failed: 1 });
    expect(body.results[0].error).toMatchObject({
      error: 'managed_by_directory',
      details: { managed_fields: ['position'] },
    });
    expect((await read(free.id)).position).toBe('Driver');
  });

  test('are errors of their cells in imports, in a dry run and when it is written', async () => {
    const [managed, same, free] = [
      await add({ [enterpriseUrn]: { manager: { value: 'later' } } }),
      await add(),
      await add({ title: undefined }),
    ];
    const managerEmail = (await read(app.manager.collaborator_id!)).email;
    const file = csv([
      ['email', 'position', 'location', 'manager_email'],
      [managed.email, 'Driver', 'Porto', managerEmail],
      [same.email, 'Planner', 'Porto', ''],
      [free.email, 'Driver', '', ''],
    ]);
    const dry = await runImport(app.admin, { file, mode: 'upsert', dry_run: true });
    expect(dry.counts).toMatchObject({ updated: 2, failed: 1 });
    expect(summarizeErrors(await errorsOf(app.admin, dry.id))).toEqual([
      'B2 position managed_by_directory',
      'D2 manager_email managed_by_directory',
    ]);
    const job = await runImport(app.admin, { file, mode: 'upsert' });
    expect(job.counts).toMatchObject({ updated: 2, failed: 1 });
    expect(await read(managed.id)).toMatchObject({ position: 'Planner', location: null });
    expect(await read(same.id)).toMatchObject({ position: 'Planner', location: 'Porto' });
    expect(await read(free.id)).toMatchObject({ position: 'Driver' });
  });

  test('are errors of an import when the directory took the person over since the dry run', async () => {
    const email = address();
    const fields = { name: 'Ada', email, position: 'Lead', department: 'Fleet' };
    const { id } = (await app.admin.post('/v1/collaborators', fields).expect(201)).body;
    const file = csv([
      ['email', 'position'],
      [email, 'Driver'],
    ]);
    const dry = await runImport(app.admin, { file, mode: 'upsert', dry_run: true });
    expect(dry.counts).toMatchObject({ updated: 1, failed: 0 });
    const { body } = await directory.post('/Users', { userName: email, displayName: 'Ada', title: 'Lead' }).expect(201);
    expect(body.id).toBe(id);
    await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
    const job = await runImport(app.admin, { file: csv([['email'], [address()]]), mode: 'upsert' });
    expect(job.status).toBe('completed_with_errors');
    expect(summarizeErrors(await errorsOf(app.admin, dry.id))).toEqual(['B2 position managed_by_directory']);
    expect((await read(id)).position).toBe('Lead');
  });
});

describe('the status', () => {
  test('can always be deactivated, and activated again if the provider didn’t deactivate', async () => {
    const { id } = await add({ active: true });
    await app.admin.post(`/v1/collaborators/${id}/deactivate`).expect(200);
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Driver' }).expect(200);
    expect(await read(id)).toMatchObject({ status: 'inactive', position: 'Driver' });
    expect(await fieldsOf(id)).not.toContain('status');
    await app.admin.post(`/v1/collaborators/${id}/activate`).expect(200);
  });

  test('is managed while the provider says that the person is inactive', async () => {
    const { id } = await add();
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: 'False' }).expect(200);
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Driver' }).expect(200);
    expect(await fieldsOf(id)).toContain('status');
    const refused = [
      await app.admin.post(`/v1/collaborators/${id}/activate`),
      await app.admin.post(`/v1/collaborators/${id}/send-invitation`),
      await change(id, { status: 'active' }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
      refused.map(() => [409, 'managed_by_directory']),
    );
    const items = [{ id, status: 'active' }];
    const { body } = await app.admin.post('/v1/collaborators/bulk', { mode: 'update', items }).expect(200);
    expect(body.results[0].error.error).toBe('managed_by_directory');
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true }).expect(200);
    expect(await fieldsOf(id)).not.toContain('status');
    expect((await read(id)).status).toBe('pending');
  });
});

test('an import may name the managed manager by an address that it exchanges', async () => {
  const boss = await add();
  const { id, email } = await add({ [enterpriseUrn]: { manager: { value: boss.id } } });
  await directory.delete(`/Users/${boss.id}`).expect(204);
  const fields = { name: 'Other', position: 'Clerk', department: 'Office' };
  const other = (await app.admin.post('/v1/collaborators', { ...fields, email: address() }).expect(201)).body;
  const imported = async (managerEmail: string) => {
    const rows = [
      [boss.id, other.email, null],
      [other.id, boss.email, null],
      [id, email, managerEmail],
    ];
    const file = csv([['id', 'email', 'manager_email'], ...rows]);
    const job = await runImport(app.admin, { mode: 'upsert', file, dry_run: true });
    return summarizeErrors(await errorsOf(app.admin, job.id));
  };
  expect(await imported(other.email)).toEqual([]);
  expect(await imported(boss.email)).toEqual(['C4 manager_email managed_by_directory']);
});

describe('people become editable', () => {
  test('when the provider removes them', async () => {
    const { id } = await add();
    await directory.delete(`/Users/${id}`).expect(204);
    expect((await read(id)).managed_by).toBeNull();
    await app.admin.post(`/v1/collaborators/${id}/activate`).expect(200);
    await change(id, { position: 'Driver' }).expect(200);
  });

  test('when the directory is deleted', async () => {
    const other = await addDirectory(app, { name: 'Entra' });
    const { id } = await add({}, other);
    await change(id, { position: 'Driver' }).expect(409);
    await app.admin.delete(`/v1/directories/${other.id}`).expect(200);
    expect((await read(id)).managed_by).toBeNull();
    await change(id, { position: 'Driver' }).expect(200);
    expect(await app.database.query('select 1 from collaborators where managed_by = $1', [other.id])).toEqual([]);
  });

  test('only until the directory restores a deleted person', async () => {
    const { id, email } = await add();
    await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
    const { body } = await directory.post('/Users', { userName: email, displayName: 'Mariana Duarte' }).expect(201);
    expect(body.id).toBe(id); // restored by the directory
    expect(await fieldsOf(id)).toEqual(['name', 'email']);
  });

  test('in custom fields that the directory no longer fills', async () => {
    const other = await addDirectory(app, { name: 'Entra' });
    const map = (...mapping: object[]) =>
      app.admin.patch(`/v1/directories/${other.id}`, { field_mapping: mapping }).expect(200);
    for (const key of ['kind', 'nick']) {
      await app.admin.post('/v1/custom-fields', { key, type: 'text', label: { default: key } }).expect(201);
    }
    const [kind, nick] = [
      { attribute: 'userType', custom_field: 'kind' },
      { attribute: 'nickName', custom_field: 'nick' },
    ];
    await map(kind, nick);
    const { id } = await add({ userType: 'Employee' }, other);
    expect(await fieldsOf(id)).toEqual(['name', 'email', 'position', 'custom_fields.kind']);
    await change(id, { custom_fields: { nick: 'Mari' } }).expect(200);
    const { body } = await change(id, { custom_fields: { kind: 'Contractor' } }).expect(409);
    expect(body.details.managed_fields).toEqual(['custom_fields.kind']);
    await map(nick);
    expect(await fieldsOf(id)).toEqual(['name', 'email', 'position']);
    await change(id, { custom_fields: { kind: 'Contractor' } }).expect(200);
  });
});
