import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { objects } from '../../../helpers/resources/documents.ts';
import {
  csv,
  expectConsistent,
  requiredHeaders,
  runImport,
  waitForImport,
} from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
/** A dry run that nobody answers. */
let asked: string;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
  asked = (await dryRun()).id;
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});
afterEach(() => expectConsistent(app));

const file = csv([
  [...requiredHeaders, 'hire_date', 'salary'],
  ['Ana Lima', 'ana.lima@answers.example', 'x', 'y', '03/02/2024', '68.400'],
]);
const dryRun = () => runImport(app.admin, { file, dry_run: true });
const answer = (id: string, answers: object, client = app.admin) =>
  client.post(`/v1/imports/${id}/answers`, { answers });

test('succeeds: asks one question at a time, in the reader’s language', async () => {
  const job = await dryRun();
  expect(job).toMatchObject({ status: 'needs_answers', progress: { rows_total: 1 } });
  expect(job.questions.map(({ id }) => id)).toEqual(['date_order', 'decimal']);
  const { body: inPortuguese } = await app.admin.get(`/v1/imports/${job.id}`).set('Accept-Language', 'pt').expect(200);
  expect(inPortuguese.questions[0].message).toMatch(/^Como as datas estão escritas\?/);
  const { body, headers } = await answer(job.id, { date_order: 'mdy' }).expect(202);
  expect(headers.location).toBe(`/v1/imports/${job.id}`);
  expect(body).toMatchObject({ status: 'queued', date_order: 'mdy', questions: [] });
  const next = await waitForImport(app.admin, job.id);
  expect(next.questions.map(({ id }) => id)).toEqual(['decimal']);
  await answer(job.id, { decimal: 'point' }).expect(202);
  const done = await waitForImport(app.admin, job.id);
  expect(done).toMatchObject({ status: 'completed', counts: { created: 1 } });
  expect(done.preview[0]!.values).toMatchObject({ hire_date: '2024-03-02', salary: '68.4' });
});

test('rejects answers to other questions and invalid choices', async () => {
  const { body } = await answer(asked, { sheet: 'x', decimal: 'dot' }).expect(400);
  expect(body.details).toMatchObject({ 'answers.sheet': [{ code: 'field_not_allowed' }], 'answers.decimal': [{ code: 'not_in_enum' }] });
  await app.admin.post(`/v1/imports/${asked}/answers`, {}).expect(400);
}); // biome-ignore format: short

test('conflicts if the import asks nothing; one that asks can be canceled, and keeps its file until then', async () => {
  const { id } = await runImport(app.admin, { dry_run: true });
  expect((await answer(id, { decimal: 'comma' }).expect(409)).body.error).toBe('conflict');
  const waiting = await dryRun();
  await app.admin.post(`/v1/imports/${waiting.id}/commit`).expect(409);
  const key = async () =>
    (await app.database.query<{ key: string | null }>('select key from imports where id = $1', [waiting.id]))[0]!.key;
  const stored = await key();
  expect(await objects(app)).toContain(stored);
  await app.admin.post(`/v1/imports/${waiting.id}/cancel`).expect(200);
  await eventually(async () => {
    expect(await key()).toBeNull();
    expect(await objects(app)).not.toContain(stored);
  });
  await answer(waiting.id, { decimal: 'comma' }).expect(409);
});

test('forbidden by role', async () => {
  await answer(asked, { decimal: 'comma' }, app.manager).expect(403);
  await answer(asked, { decimal: 'comma' }, app.employee).expect(403);
});

test('invisible to another company', async () => {
  await answer(asked, { decimal: 'comma' }, app.outsider).expect(404);
});

test('hides salaries from readers without access', async () => {
  const blind = await app.as('admin', { scopes: ['imports:write', 'salary:write'] });
  expect((await app.admin.get(`/v1/imports/${asked}`).expect(200)).text).toContain('68.4');
  const { body } = await blind.get(`/v1/imports/${asked}`).expect(200);
  expect(body.restricted_fields).toEqual([
    'error_report_url',
    'columns.samples',
    'preview.salary',
    'questions.examples',
  ]);
  expect(JSON.stringify(body)).not.toContain('68.4');
});
