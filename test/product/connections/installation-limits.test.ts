/** Installations can't create admins, act on the person who installed them, or change the policy, whatever their scopes. */
import { randomUUID } from 'node:crypto';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { addInstallation } from '../../helpers/database/connections.ts';
import { csv, errorsOf, requiredHeaders, runImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

const people = '/v1/collaborators';

let app: TestApp;
/** Installed by the manager, who was an admin at the time and is one again. */
let robot: TestClient;
let installer: string;
beforeAll(async () => {
  app = await testApp();
  installer = app.manager.collaborator_id;
  await app.admin.post(`${people}/${installer}/role`, { role: 'admin' }).expect(200);
  robot = await addInstallation(app, 'manager', 'admin');
});
afterAll(() => app.close());

const refused = { error: 'forbidden', details: { reason: 'not_for_installations' } };
const person = async (more: object = {}) => {
  const email = `${randomUUID()}@example.com`;
  const fields = { name: 'Ada Limit', email, position: 'Clerk', department: 'Office', ...more };
  return (await app.admin.post(people, fields).expect(201)).body as { id: string; email: string };
};

test('can’t assign the role admin, but others', async () => {
  const { id } = await person();
  expect((await robot.post(`${people}/${id}/role`, { role: 'admin' }).expect(403)).body).toMatchObject(refused);
  await robot.post(`${people}/${id}/role`, { role: 'manager' }).expect(200);
  expect((await app.admin.get(`${people}/${id}`)).body.role).toBe('manager');
});

test('can’t restore an admin, or redirect an admin’s invitation', async () => {
  const { id } = await person({ external_id: 'pending-admin' });
  await app.admin.post(`${people}/${id}/role`, { role: 'admin' }).expect(200);
  const email = 'mallory@example.com';
  expect((await robot.patch(`${people}/${id}`, { email }).expect(403)).body).toMatchObject(refused);
  const items = [{ id, email }];
  const { body } = await robot.post(`${people}/bulk`, { mode: 'update', items }).expect(200);
  expect(body.results[0]).toMatchObject({ status: 'failed', error: refused });
  await robot.patch(`${people}/${id}`, { position: 'Head' }).expect(200);
  const invited = await person();
  await robot.patch(`${people}/${invited.id}`, { email: `new-${invited.email}` }).expect(200);
  await app.database.query("update collaborators set status = 'inactive' where user_id = $1", [app.report.user_id]);
  await app.database.query("update collaborators set role = 'admin' where user_id = $1", [app.report.user_id]);
  const report = `${people}/${app.report.collaborator_id}`;
  expect((await robot.post(`${report}/activate`).expect(403)).body).toMatchObject(refused);
  await app.admin.delete(report).expect(200);
  expect((await robot.post(`${report}/restore`).expect(403)).body).toMatchObject(refused);
});

test('can’t change the person who installed it', async () => {
  const path = `${people}/${installer}`;
  const before = (await app.admin.get(path).expect(200)).body;
  const tries = [
    robot.post(`${path}/role`, { role: 'employee' }),
    robot.post(`${path}/deactivate`),
    robot.delete(path),
    robot.put(path, { status: 'inactive' }),
    robot.patch(path, { status: 'inactive', phone: '+1 1' }),
    robot.patch(path, { termination_date: '2020-01-01' }),
  ];
  for (const response of await Promise.all(tries))
    expect([response.status, response.body]).toMatchObject([403, refused]);
  const items = [
    { id: installer, status: 'inactive' },
    { id: installer, termination_date: '2020-01-01' },
  ];
  for (const item of items) {
    const { body } = await robot.post(`${people}/bulk`, { mode: 'update', items: [item] }).expect(200);
    expect(body.results[0]).toMatchObject({ status: 'failed', error: refused });
  }
  expect((await app.admin.get(path).expect(200)).body).toEqual(before);
  await robot.patch(path, { location: 'Porto', status: 'active' }).expect(200);
});

test('can’t do so by an import either', async () => {
  const worker = await testWorker(app);
  try {
    const { name, email, position, department } = (await app.admin.get(`${people}/${installer}`)).body;
    const file = csv([
      [...requiredHeaders, 'termination_date'],
      [name, email, position, department, '2020-01-01'],
    ]);
    for (const dryRun of [true, false]) {
      const { id, counts } = await runImport(robot, { file, mode: 'upsert', dry_run: dryRun });
      expect(counts).toMatchObject({ updated: 0, failed: 1 });
      expect(await errorsOf(robot, id)).toMatchObject([{ field: 'termination_date', code: 'field_not_allowed' }]);
    }
  } finally {
    await worker.stop();
  }
});

test('can delete, deactivate, and restore other people', async () => {
  const { id } = await person();
  await robot.post(`${people}/${id}/activate`).expect(200);
  await robot.post(`${people}/${id}/deactivate`).expect(200);
  await robot.delete(`${people}/${id}`).expect(200);
  await robot.post(`${people}/${id}/restore`).expect(200);
});

test('can rename the company, but not change its policy', async () => {
  const { body } = await app.admin.get('/v1/company').expect(200);
  expect((await robot.put('/v1/company', { policy: { step_up: true } }).expect(403)).body).toMatchObject(refused);
  expect((await app.admin.get('/v1/company').expect(200)).body).toEqual(body);
  const renamed = { ...body, name: 'Verde by robot' };
  expect((await robot.put('/v1/company', renamed).expect(200)).body.name).toBe('Verde by robot');
});
