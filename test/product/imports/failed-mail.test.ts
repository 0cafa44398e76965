/** An email reports a failed import, with a link to it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import {
  csv,
  people,
  requiredHeaders,
  runImport,
  startImport,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const faulty = csv([requiredHeaders, ['x', 'y', 'Planner', 'Operations']]);

async function mails(): Promise<string[]> {
  const names = (await readdir(worker.outbox)).filter((name) => name.endsWith('.txt')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(worker.outbox, name), 'utf8')));
  return texts.filter((text) => text.includes('/imports/'));
}

test('the admin who started it gets the reason and a link, but not for a dry run or an import that skips rows', async () => {
  await runImport(app.admin, { file: faulty, dry_run: true, on_error: 'abort' });
  await runImport(app.admin, { file: faulty });
  const { id } = await runImport(app.admin, { file: faulty, filename: 'march.csv', on_error: 'abort' });
  await eventually(async () => expect(await mails()).toHaveLength(1));
  const [mail] = await mails();
  expect(mail).toContain('mariana.duarte@example.com');
  expect(mail).toContain('march.csv');
  expect(mail).toContain('1 of 1 rows has an error, so nothing was imported.');
  expect(mail).toContain(`${app.base_url}/console/${app.company_id}/imports/${id}`);
});

test('all admins get it if the person who started it is no longer one', async () => {
  const role = (to: string) =>
    app.admin.post(`/v1/collaborators/${app.employee.collaborator_id}/role`, { role: to }).expect(200);
  await role('admin');
  await app.admin.post(`/v1/collaborators/${app.report.collaborator_id}/role`, { role: 'admin' }).expect(200);
  const second = await app.as('employee', {});
  await worker.stop();
  const id = await startImport(second, { file: people([7]) });
  await role('employee');
  worker = await testWorker(app);
  expect((await waitForImport(app.admin, id)).failure?.reason).toBe('forbidden');
  await eventually(async () => expect(await mails()).toHaveLength(2));
  const sent = await mails();
  expect(sent.map((mail) => /^To: (.*)$/m.exec(mail)![1]).sort()).toEqual([
    'clara.sousa@example.com',
    'mariana.duarte@example.com',
  ]);
  for (const mail of sent) expect(mail).toContain(id);
});
