/** The person who started an import loses the permission midway. A trigger makes that happen at a certain row. */
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { people, range, startImport, waitForImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let second: TestClient;
beforeAll(async () => {
  app = await testApp();
  await app.admin.post(`/v1/collaborators/${app.employee.collaborator_id}/role`, { role: 'admin' }).expect(200);
  second = await app.as('employee', {});
});
afterAll(() => app.close());

test('after the admin is demoted midway, no further batch starts', async () => {
  const id = await startImport(second, { file: people(range(4_000)) });
  await app.database.query(`create function demote() returns trigger language plpgsql security definer as
    $$ begin
      if new.position >= 1000 then
        update collaborators set role = 'employee' where id = '${app.employee.collaborator_id}';
      end if;
      return new;
    end $$`);
  await app.database.query(
    'create trigger demote after update of position on imports for each row execute function demote()',
  );
  const worker = await testWorker(app);
  try {
    const job = await waitForImport(app.admin, id);
    expect(job).toMatchObject({ status: 'failed', failure: { reason: 'forbidden' } });
    expect(job.counts.created).toBeGreaterThanOrEqual(1_000);
    expect(job.counts.created).toBeLessThanOrEqual(3_000);
    expect(await app.database.query("select 1 from collaborators where email like 'person%'")).toHaveLength(
      job.counts.created,
    );
  } finally {
    await worker.stop();
  }
});
