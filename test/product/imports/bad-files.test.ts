/** Invalid and hostile files: each gets a clear error, and the service continues. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { objects } from '../../helpers/resources/documents.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  people,
  requiredHeaders,
  runImport,
  sendImport,
  summarizeErrors,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { listed, workbook, workbookParts, zipped } from '../../platform/sheets/workbooks.ts';

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

const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row r="1">${requiredHeaders.map((name, at) => text(`${'ABCD'[at]}1`, name)).join('')}</row>`;

test('an unsafe file is rejected immediately in a form and in JSON, and nothing is stored', async () => {
  const file = await workbook(header, { 'xl/vbaProject.bin': 'macros' });
  const { body } = await sendImport(app.admin, { file, filename: 'people.xlsx' }).expect(422);
  expect([body.error, body.details]).toEqual(['import_unreadable', { reason: 'macros' }]);
  const json = { filename: 'people', content_base64: file.toString('base64') };
  expect((await app.admin.post('/v1/collaborators/import', json).expect(422)).body.details).toEqual(body.details);
  expect(await objects(app)).toEqual([]);
  expect(await app.database.query('select 1 from imports')).toEqual([]);
});

test('a line of 3 MB fails the import with an error of the line', async () => {
  const file = Buffer.concat([csv([requiredHeaders]), Buffer.alloc(3_000_000, 'x')]);
  const job = await runImport(app.admin, { file, filename: 'x' });
  const message = expect.stringMatching(/^A row has more than/);
  expect(job).toMatchObject({ status: 'failed', failure: { reason: 'unreadable', message }, error_report_url: null });
  expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['-2 - too_long']);
});

test('stops unpacking a bomb without declared sizes', async () => {
  const bytes = await zipped({ ...workbookParts(header), 'xl/sharedStrings.xml': Buffer.alloc(30_000_000) });
  const [at] = listed(bytes).slice(-1);
  bytes.writeUInt32LE(4_000_000, at! + 24);
  const job = await runImport(app.admin, { file: bytes, filename: 'bomb.xlsx' });
  expect(job.failure).toMatchObject({ reason: 'unreadable', message: expect.stringMatching(/damaged|far more text/) });
});

test('the service still imports after all of them', async () => {
  const job = await runImport(app.admin, { file: people([1, 2, 3]) });
  expect(job).toMatchObject({ status: 'completed', counts: { created: 3 } });
  await expectConsistent(app);
  const storedFiles = await app.database.query<{ key: string | null }>('select key from imports where key is not null');
  expect(storedFiles).toEqual([]);
});
