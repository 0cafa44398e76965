/** Files of well-known tools, imported as is: the questions asked and the people in the preview. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { runImport, waitForImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { type LayoutCase, layoutCases } from './layouts/layouts.ts';
import { fullName, type Person, people } from './layouts/people.ts';

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

const whole = layoutCases.filter(({ lacks }) => !lacks);

test.each(whole.map((each) => [each.title, each] as const))('%s', async (_title, layout) => {
  let job = await runImport(app.admin, { file: fileOf(layout, people), filename: 'list.csv', dry_run: true });
  expect(job.questions.map(({ id }) => id)).toEqual(layout.questions ?? []);
  if (job.questions.length > 0) {
    const answers = Object.fromEntries(job.questions.map(({ id, choices }) => [id, choices[0]!.answer]));
    await app.admin.post(`/v1/imports/${job.id}/answers`, { answers }).expect(202);
    job = await waitForImport(app.admin, job.id);
  }
  expect(job).toMatchObject({ status: 'completed', layout: layout.tool ?? null, counts: { created: 4, failed: 0 } });
  const rows = job.preview.map(({ values }) => values);
  expect(rows.map(({ name }) => name!.toLowerCase())).toEqual(people.map((person) => fullName(person).toLowerCase()));
  const { first = {} } = layout;
  const texts = Object.fromEntries(Object.entries(first).map(([field, value]) => [field, String(value)]));
  expect(rows[0]).toMatchObject({ position: 'Planner', department: 'Fleet', ...texts });
  // Unknown managers would be failed rows.
  expect(rows.map(({ manager }) => manager !== undefined)).toEqual([
    false,
    ...Array(3).fill(layout.hasManagers ?? false),
  ]);
  const { status, termination_date: lastDay } = rows[3]!;
  expect(status === 'inactive' || lastDay !== undefined).toBe(/payroll|ADP|Bamboo|salaries/.test(layout.title));
});

const lacking = layoutCases.filter(({ lacks }) => lacks);

test.each(lacking.map((each) => [each.title, each] as const))(
  '%s is rejected with the missing fields',
  async (_title, layout) => {
    const file = fileOf(layout, people);
    const job = await runImport(app.admin, { file, filename: 'list.csv', dry_run: true });
    expect(job.status).toBe('failed');
    for (const field of layout.lacks!) expect(job.failure!.message).toContain(`There is no column for ${field}.`);
  },
);
