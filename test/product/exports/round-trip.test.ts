/** Every kind of export in every language and format can be imported back without changes. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { defineField } from '../../helpers/resources/custom-fields.ts';
import { download, exportPaths, sheetsOf } from '../../helpers/resources/exports.ts';
import { errorsOf, runImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
/** People with values that other languages write differently. */
const people = [
  { name: 'Eva Prado', department: 'Fleet', salary: 2900.5, location: 'Porto', custom_fields: { rate: 12.345 } },
  { name: '=Rui', department: 'fleet', salary: 47_300, phone: '+351 211 555 017', custom_fields: { rate: 0.5 } },
  { name: 'Maëlle "M"; Roux', department: 'R&D, Port', salary: 0.01, location: "'Kai", custom_fields: { rate: -1234.5 } },
]; // biome-ignore format: short
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
  await defineField(app.admin, { key: 'rate', type: 'number' });
  await defineField(app.admin, { key: 'on_call', type: 'boolean' });
  for (const [at, person] of people.entries()) {
    const rest = { email: `person${at}@trip.example`, position: 'Planner', hire_date: '2026-03-02', manager_id: app.manager.collaborator_id, employee_number: `00${at}` };
    const own = { ...person.custom_fields, on_call: at === 1 };
    await app.admin.post('/v1/collaborators', { ...rest, ...person, custom_fields: own }).expect(201);
  } // biome-ignore format: short
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const revisions = () =>
  app.database.query(
    `select id, revision, updated_at from collaborators where company_id = $1 and deleted_at is null order by id`,
    [app.company_id],
  );

async function exported(kind: keyof typeof exportPaths, query: object): Promise<Buffer> {
  const { body } = await app.admin.get(exportPaths[kind]).query(query).expect(200);
  return download(typeof body === 'string' ? body : body.url);
}

test.each([
  ['list', { language: 'pt', format: 'xlsx' }],
  ['list', { language: 'pt', format: 'csv' }],
  ['list', { language: 'es', format: 'csv', delimiter: 'comma' }],
  ['group', { language: 'en', group_by: 'department' }],
  ['group', { language: 'es', group_by: 'manager' }],
] as const)('imports back %s %j', async (kind, query) => {
  const file = await exported(kind, query);
  const before = await revisions();
  const job = await runImport(app.admin, { file, filename: 'back', mode: 'upsert' });
  expect(await errorsOf(app.admin, job.id)).toEqual([]);
  const counts = { created: 0, updated: 0, unchanged: before.length, skipped: 0, failed: 0 };
  expect(job).toMatchObject({ status: 'completed', questions: [], counts });
  expect(job.columns.filter(({ guessed }) => guessed)).toEqual([]);
  expect(await revisions()).toEqual(before);
});

test.each([
  ['individual', { language: 'pt', format: 'csv' }],
  ['individual', { language: 'es', format: 'xlsx' }],
] as const)('imports back a single person: %s %j', async (kind, query) => {
  const { body } = await app.admin.get('/v1/collaborators?search=eva.prado').expect(200);
  const [{ id }] = body.data.length > 0 ? body.data : (await app.admin.get('/v1/collaborators?email=person0@trip.example')).body.data;
  const file = await exported(kind, { ...query, collaborator_id: id });
  const job = await runImport(app.admin, { file, filename: 'back', mode: 'upsert' });
  expect(await errorsOf(app.admin, job.id)).toEqual([]);
  expect(job).toMatchObject({ status: 'completed', counts: { created: 0, updated: 0, unchanged: 1, failed: 0 } });
}); // biome-ignore format: short

test('imports back a workbook of groups changed in two sheets', async () => {
  const file = await exported('group', { language: 'pt' });
  const book = sheetsOf(file);
  expect(Object.keys(book)).toEqual(['Resumo', 'Fleet', 'Operations', 'R&D, Port']);
  const job = await runImport(app.admin, { file, filename: 'back.xlsx', mode: 'upsert', dry_run: true });
  expect(job.warnings.map(({ code }) => code)).toEqual(['sheets_joined']);
  expect(job.warnings[0]!.message).toMatch(/“Fleet”, “Operations”, “R&D, Port”$/);
  expect(job.counts.unchanged).toBe((await revisions()).length);
});

test('the reader’s language determines the CSV dialect, unless the request does', async () => {
  const line = async (query: object, language: string) => {
    const { body } = await app.admin.get(exportPaths.list).query({ format: 'csv', search: 'eva', ...query }).set('Accept-Language', language).expect(200);
    const [header, row] = (await download(body.url)).toString().replace('\ufeff', '').split('\r\n');
    return [header!.slice(0, 10), /2900.5/.exec(row!)?.[0], /12.345\d?/.exec(row!)?.[0]];
  };
  expect(await line({}, 'en')).toEqual(['Name,Email', '2900.5', '12.3450']);
  expect(await line({}, 'pt-BR')).toEqual(['Nome;E-mai', '2900,5', '12,3450']);
  expect(await line({ language: 'es' }, 'pt')).toEqual(['Nombre;Cor', '2900,5', '12,3450']);
  expect(await line({ delimiter: 'comma' }, 'es')).toEqual(['Nombre,Cor', '2900.5', '12.3450']);
  expect(await line({ delimiter: 'semicolon' }, 'en')).toEqual(['Name;Email', '2900,5', '12,3450']);
}); // biome-ignore format: short

test('the file name describes the content', async () => {
  const nameOf = async (path: string, query: object) => {
    const { headers } = await app.admin.get(path).query(query).expect(200);
    return (await app.admin.get(headers.location!).expect(200)).body.filename.replace(/\d{4}-\d\d-\d\d/, 'day');
  };
  expect(await nameOf(exportPaths.list, { format: 'csv' })).toBe('collaborators-day.csv');
  const fleet = { status: 'pending', department: 'R&D, Port' };
  expect(await nameOf(exportPaths.list, { ...fleet, language: 'pt' })).toBe('colaboradores-pendente-r-d-port-day.xlsx');
  expect(await nameOf(exportPaths.group, { group_by: 'location', language: 'es' })).toBe('colaboradores-por-lugar-de-trabajo.xlsx');
}); // biome-ignore format: short
