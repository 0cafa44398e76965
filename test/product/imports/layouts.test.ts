/** Files of well-known tools, imported as is: the questions asked and the resulting people. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { expectConsistent, runImport, waitForImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { type LayoutCase, layoutCases } from './layouts/layouts.ts';
import { fullName, type Person, peopleOf } from './layouts/people.ts';

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
/** Each file has the same people as the one before, by name and number. */
afterEach(async () => {
  await expectConsistent(app);
  const { body } = await app.admin.get('/v1/collaborators?search=.example&limit=50').expect(200);
  for (const { id, email } of body.data) {
    if (email.startsWith('person')) await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
  }
});

function fileOf({ columns, delimiter: semicolon, encoding, above }: LayoutCase, people: readonly Person[]): Buffer {
  const delimiter: string = semicolon ?? ',';
  const cell = (text = '') =>
    text.includes(delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  const header = Object.keys(columns).map((name) => (name.startsWith('"') ? name : cell(name)));
  const rows = people.map((person) => Object.values(columns).map((write) => cell(write(person))));
  const lines = [...(above === undefined ? [] : [above]), ...[header, ...rows].map((row) => row.join(delimiter))];
  const text = `${lines.join('\r\n')}\r\n`;
  return Buffer.from(encoding ? text.replaceAll('€', '\x80') : text, encoding); // the windows-1252 byte
}

async function foundOf(company: string) {
  const { body } = await app.admin.get(`/v1/collaborators?search=@${company}.example&sort=email&limit=10`).expect(200);
  return body.data;
}

const whole = layoutCases.filter(({ lacks }) => !lacks);

test.each(whole.map((each) => [each.title, each] as const))('%s', async (_title, layout) => {
  const company = `layout${layoutCases.indexOf(layout)}`;
  const people = peopleOf(company);
  let job = await runImport(app.admin, { file: fileOf(layout, people), filename: 'list.csv', dry_run: true });
  expect(job.questions.map(({ id }) => id)).toEqual(layout.questions ?? []);
  if (job.questions.length > 0) {
    const answers = Object.fromEntries(job.questions.map(({ id, choices }) => [id, choices[0]!.answer]));
    await app.admin.post(`/v1/imports/${job.id}/answers`, { answers }).expect(202);
    job = await waitForImport(app.admin, job.id);
  }
  expect(job).toMatchObject({ status: 'completed', layout: layout.tool ?? null, counts: { created: 4, failed: 0 } });
  await app.admin.post(`/v1/imports/${job.id}/commit`).expect(202);
  expect(await waitForImport(app.admin, job.id)).toMatchObject({ status: 'completed', counts: { created: 4 } });
  const found = await foundOf(company);
  const names = found.map(({ name }: { name: string }) => name.toLowerCase());
  expect(names).toEqual(people.map((person) => fullName(person).toLowerCase()));
  expect(found[0]).toMatchObject({ position: 'Planner', department: 'Fleet', ...layout.first });
  const managers = found.slice(1).map((each: { manager_id: string | null }) => each.manager_id);
  expect(managers).toEqual(managers.map(() => (layout.hasManagers ? found[0].id : null)));
  expect(found[3].status).toBe(/payroll|ADP|Bamboo|salaries/.test(layout.title) ? 'inactive' : 'pending');
});

const lacking = layoutCases.filter(({ lacks }) => lacks);

test.each(lacking.map((each) => [each.title, each] as const))(
  '%s is rejected with the missing fields',
  async (_title, layout) => {
    const file = fileOf(layout, peopleOf(`lacks${layoutCases.indexOf(layout)}`));
    const job = await runImport(app.admin, { file, filename: 'list.csv', dry_run: true });
    expect(job.status).toBe('failed');
    for (const field of layout.lacks!) expect(job.failure!.message).toContain(`There is no column for ${field}.`);
  },
);
