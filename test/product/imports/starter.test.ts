/** An import uses the current permissions of the person who started it. */
import { type Identity, type TestApp, testApp } from '../../helpers/app.ts';
import { expectConsistent, people, range, startImport, waitForImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const pathOf = (identity: Identity) => `/v1/collaborators/${app[identity].collaborator_id}`;
const role = (identity: Identity, to: string) => app.admin.post(`${pathOf(identity)}/role`, { role: to }).expect(200);
const added = () => app.database.query("select 1 from collaborators where email like 'person%'");

async function whileWorking(work: () => Promise<void>): Promise<void> {
  const worker = await testWorker(app);
  try {
    await work();
  } finally {
    await worker.stop();
  }
}

test('imports of admins who were demoted, switched off, or deleted while they waited fail and add nobody', async () => {
  const starters = ['employee', 'report', 'manager'] as const;
  const ids: string[] = [];
  for (const [at, identity] of starters.entries()) {
    await role(identity, 'admin');
    const onError = at === 1 ? 'abort' : 'continue';
    const parts = { file: people(range(3, at * 3)), on_error: onError, send_invitations: true };
    ids.push(await startImport(await app.as(identity, {}), parts));
  }
  await role('employee', 'manager');
  await app.admin.post(`${pathOf('report')}/deactivate`).expect(200);
  await app.admin.delete(pathOf('manager')).expect(200);
  await whileWorking(async () => {
    for (const id of ids) {
      const job = await waitForImport(app.admin, id);
      expect(job).toMatchObject({ status: 'failed', failure: { reason: 'forbidden' }, counts: { created: 0 } });
    }
  });
  expect(await added()).toEqual([]);
  expect(await app.database.query('select 1 from invitations')).toEqual([]);
  await expectConsistent(app);
});

test('a dry run committed by another admin uses that admin’s permissions', async () => {
  await role('employee', 'admin');
  const id = await startImport(await app.as('employee', {}), { file: people(range(3, 20)), dry_run: true });
  await whileWorking(async () => {
    expect((await waitForImport(app.admin, id)).status).toBe('completed');
    await role('employee', 'employee');
    await app.admin.post(`/v1/imports/${id}/commit`).expect(202);
    expect((await waitForImport(app.admin, id)).status).toBe('completed');
  });
  expect(await added()).toHaveLength(3);
});
