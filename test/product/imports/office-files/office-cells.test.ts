/** Cells as offices write them, through dry run and commit: the stored value, or a rejection. */
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { csv, errorsOf, expectConsistent, runImport, waitForImport } from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';
import { type CellCase, cellCases, type Stored } from './cells.ts';

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
afterEach(() => expectConsistent(app));

/** One person per cell, matched by number. */
function fileOf({ header, field, delimiter, cells }: CellCase, company: string): Buffer {
  const columns = ['employee_number', 'name', 'email', 'position', 'department'].filter((name) => name !== field);
  const written = (at: number) => ({ employee_number: `${company}-${at}`, name: `Person ${at}`, email: `p${at}@${company}.example`, position: 'Planner', department: 'Fleet' }) as Record<string, string>;
  const rows = cells.map(([cell], at) => [...columns.map((name) => written(at)[name]!), cell]);
  return csv([[...columns, header], ...rows], delimiter);
} // biome-ignore format: short

test.each(cellCases.map((each) => [each.title, each] as const))('%s', async (_title, table) => {
  const company = `cells${cellCases.indexOf(table)}`;
  let job = await runImport(app.admin, { file: fileOf(table, company), dry_run: true });
  expect(Object.fromEntries(job.questions.map(({ id }) => [id, table.answers?.[id]]))).toEqual(table.answers ?? {});
  if (table.answers) {
    await app.admin.post(`/v1/imports/${job.id}/answers`, { answers: table.answers }).expect(202);
    job = await waitForImport(app.admin, job.id);
  }
  const refused = new Set((await errorsOf(app.admin, job.id)).map(({ row, field }) => `${row} ${field}`));
  await app.admin.post(`/v1/imports/${job.id}/commit`).expect(202);
  await waitForImport(app.admin, job.id);
  const { body } = await app.admin.get(`/v1/collaborators?sort=-created_at&limit=100`).expect(200);
  const found = new Map<string, Record<string, Stored>>(
    body.data.map((person: { employee_number: string }) => [person.employee_number, person]),
  );
  const stored = table.cells.map(([written], at) => {
    const person = found.get(`${company}-${at}`);
    return [written, person ? person[table.field] : refused.has(`${at + 2} ${table.field}`) ? 'refused' : 'lost'];
  });
  expect(stored).toEqual(table.cells.map((pair) => [...pair]));
});
