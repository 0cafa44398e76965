/** An import uses the current permissions of the person who started it. */
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { expectConsistent, people, range, startImport, waitForImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let second: TestClient;
beforeEach(async () => {
  app = await testApp();
  await role('admin');
  second = await app.as('employee', {});
});
afterEach(() => app.close());

const employee = () => `/v1/collaborators/${app.employee.collaborator_id}`;
const role = (to: string) => app.admin.post(`${employee()}/role`, { role: to }).expect(200);
const added = () => app.database.query("select 1 from collaborators where email like 'person%'");

async function whileWorking(work: () => Promise<void>): Promise<void> {
  const worker = await testWorker(app);
  try {
    await work();
  } finally {
    await worker.stop();
  }
}

test.each([
  ['demoted', 'continue', () => role('manager')],
  ['switched off', 'abort', () => app.admin.post(`${employee()}/deactivate`).expect(200)],
  ['deleted', 'continue', () => app.admin.delete(employee()).expect(200)],
])(
  'an import of an admin who was %s while it waited fails and adds nobody (on_error %s)',
  async (_name, onError, end) => {
    const id = await startImport(second, { file: people(range(20)), on_error: onError, send_invitations: true });
    await end();
    await whileWorking(async () => {
      const job = await waitForImport(app.admin, id);
      expect(job).toMatchObject({ status: 'failed', failure: { reason: 'forbidden' }, counts: { created: 0 } });
    });
    expect(await added()).toEqual([]);
    expect(await app.database.query('select 1 from invitations')).toEqual([]);
    await expectConsistent(app);
  },
);

test('a dry run committed by another admin uses that admin’s permissions', async () => {
  const id = await startImport(second, { file: people(range(3)), dry_run: true });
  await whileWorking(async () => {
    expect((await waitForImport(app.admin, id)).status).toBe('completed');
    await role('employee');
    await app.admin.post(`/v1/imports/${id}/commit`).expect(202);
    expect((await waitForImport(app.admin, id)).status).toBe('completed');
  });
  expect(await added()).toHaveLength(3);
});
