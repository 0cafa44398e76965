/** Real-world office files imported as is: people, messages, and errors. */
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { errorsOf, runImport, sendImport, summarizeErrors, waitForImport } from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';
import { written } from '../../../platform/sheets/other-workbooks.ts';
import { shapeCases } from './shapes.ts';

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

test.each(shapeCases.map((each) => [each.title, each] as const))('%s', async (_title, shape) => {
  const { filename = 'list', people, warnings = [], errors = [] } = shape;
  const job = await runImport(app.admin, { file: await shape.file(), filename, dry_run: true });
  expect(job.status).toBe(shape.status);
  if (shape.message) expect(job.failure?.message ?? job.questions[0]!.message).toMatch(shape.message);
  else {
    expect(job.preview.map(({ values }) => values)).toEqual(people);
    expect(job.warnings.map(({ code }) => code)).toEqual(warnings);
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(errors);
  }
});

test('rejects an empty file', async () => {
  const { body } = await sendImport(app.admin, { file: Buffer.alloc(0) }).expect(400);
  expect(body.details).toMatchObject({ file: [{ code: 'too_short' }] });
});

test('sheets with the same headers are combined on request', async () => {
  const { file } = shapeCases.find(({ title }) => title.startsWith('a sheet for each department'))!;
  const { questions, id } = await runImport(app.admin, { file: await file(), filename: 'list', dry_run: true });
  expect(questions[0]!.choices.map(({ answer }) => answer)).toEqual(['Port', 'Lista', '*']);
  await app.admin.post(`/v1/imports/${id}/answers`, { answers: { sheet: '*' } }).expect(202);
  const job = await waitForImport(app.admin, id);
  expect(job.preview.map(({ row, values }) => [row, values.name])).toEqual([
    [3, 'Rui Reis'],
    [4, 'Maëlle Roux'],
    [5, 'Eva Prado'],
  ]);
  expect(job.warnings.map(({ code }) => code)).toEqual(['sheets_joined', 'rows_left_out']);
});

test('a sheet without people is ignored beside combined ones, and none of these is said to be', async () => {
  const sheet = (...rows: string[][]) => rows.map((row) => row.map((v) => ({ t: 's' as const, v })));
  const headers = ['Name', 'Email', 'Position', 'Department'];
  const file = written('xlsx', {
    January: sheet(headers, ['Ana Prado', 'ana@sheets.example', 'Driver', 'Fleet']),
    February: sheet(headers, ['Rui Reis', 'rui@sheets.example', 'Driver', 'Fleet']),
    Notes: sheet(['Ask Ana.']),
  });
  const job = await runImport(app.admin, { file, filename: 'list', dry_run: true, sheet: '*' });
  expect(job.warnings.map(({ message }) => message)).toEqual([
    'These sheets are read as one list, with continuous row numbers: “January”, “February”',
    'These sheets are ignored: “Notes”',
  ]);
});
