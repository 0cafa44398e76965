/** Imports real-world office files. `make proof NAME=offices` updates the responses in docs/guides/office-files.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { errorsOf, expectConsistent, runImport, waitForImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { officeFiles } from './offices/cases.ts';

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

const page = new URL('../../../docs/guides/office-files.md', import.meta.url);
const record = [
  ['file', 'special about it', 'headers', 'warnings of the dry run', 'people'],
  ['---', '---', '---', '---', '---'],
];

test.each(officeFiles)(
  '$filename: $about',
  async ({ filename, key, about, make, answers, header_row: headerRow, warnings, people }) => {
    let dry = await runImport(app.admin, { file: await make(), filename, dry_run: true });
    expect(dry.questions.map(({ id }) => id)).toEqual(Object.keys(answers ?? {}));
    if (answers) {
      await app.admin.post(`/v1/imports/${dry.id}/answers`).send({ answers }).expect(202);
      dry = await waitForImport(app.admin, dry.id);
    }
    expect(await errorsOf(app.admin, dry.id)).toEqual([]);
    expect(dry).toMatchObject({ status: 'completed', header_row: headerRow, counts: { created: people.length } });
    expect(dry.warnings.map(({ code }) => code)).toEqual(warnings);
    await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
    const done = await waitForImport(app.admin, dry.id);
    expect(done).toMatchObject({ status: 'completed', counts: { created: people.length }, warnings: dry.warnings });
    const { body } = await app.admin.get(`/v1/collaborators?search=@${key}.example&limit=100`).expect(200);
    const byName = new Map(body.data.map((person: { name: string }) => [person.name, person]));
    expect(body.data).toHaveLength(people.length);
    for (const person of people) expect(byName.get(String(person.name))).toMatchObject(person);
    await expectConsistent(app);
    record.push([
      `\`${filename}\``,
      about,
      `row ${dry.header_row}`,
      describeWarnings(dry.warnings),
      `${done.counts.created} of ${people.length}`,
    ]);
  },
);

test('the guide matches the results', async () => {
  const text = await readFile(page, 'utf8');
  const rows = record.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const line = (row: string[]) =>
    row.map((cell, at) => cell.padEnd(widths[at]!, cell === '---' ? '-' : ' ')).join(' | ');
  const table = rows.map((row) => `| ${line(row)} |`).join('\n');
  const now = text.replace(/^\| file[\s\S]*?\n(?=\n|$)/m, `${table}\n`);
  if (process.env.RECORD) {
    await writeFile(page, now);
    process.stdout.write(`${table}\n`);
  } else expect(text).toBe(now);
});

function describeWarnings(warnings: readonly { code: string; message: string; column: string | null }[]): string {
  return (
    warnings.map(({ message, column }) => (column ? `column ${column}: ${message}` : message)).join(' ') || 'nothing'
  );
}
