/** Custom field values in files: import, export, and reimport. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { defineField, oneOfEach } from '../../helpers/resources/custom-fields.ts';
import { csvOf, download, runExport, sheetsOf } from '../../helpers/resources/exports.ts';
import { csv, errorsOf, range, requiredHeaders, runImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
  for (const field of oneOfEach) await defineField(app.admin, field);
  await defineField(app.admin, { key: 'badge', type: 'text', unique: true });
  await defineField(app.admin, { key: 'pay_grade', type: 'text', sensitive: true });
  const label = { default: 'Name', pt: 'Alcunha' };
  await app.admin.post('/v1/custom-fields', { key: 'nickname', type: 'text', label }).expect(201);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const headers = [...requiredHeaders, ...oneOfEach.map(({ key }) => key), 'badge', 'Alcunha'];
const rowOf = (n: number) => [
  ...[`Person ${n}`, `person${n}@verde.example`, 'Planner', 'Imported'],
  ...[
    `Árvore ${n}`,
    `One line\nand ${n}`,
    n / 4,
    n % 2 ? 'true' : 'false',
    `2026-01-${String((n % 28) + 1).padStart(2, '0')}`,
  ],
  ...['sml'[n % 3]!, n % 2 ? 's; L' : 'm', `p${n}@private.example`, `https://p${n}.example/`, `+55 11 9${n}`, `B${n}`],
  `Nick ${n}`,
];
const values = (n: number) => ({
  ...{ a_text: `Árvore ${n}`, a_long_text: `One line\nand ${n}`, a_number: n / 4, a_boolean: n % 2 === 1 },
  ...{ a_date: `2026-01-${String((n % 28) + 1).padStart(2, '0')}`, a_choice: 'sml'[n % 3] },
  ...{ a_multi_choice: n % 2 ? ['s', 'l'] : ['m'], a_email: `p${n}@private.example` },
  ...{
    a_url: `https://p${n}.example/`,
    a_phone: `+55 11 9${n}`,
    badge: `B${n}`,
    nickname: `Nick ${n}`,
    pay_grade: null,
  },
});
const allPeople = () =>
  app.database.query(
    `select email, custom_fields, revision from collaborators where department = 'Imported' order by email`,
  );

test('People with a field of each type can be filtered, exported, and imported back unchanged', async () => {
  const job = await runImport(app.admin, { file: csv([headers, ...range(60).map(rowOf)]) });
  expect([job.status, job.counts, await errorsOf(app.admin, job.id)]).toEqual([
    'completed',
    { created: 60, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
    [],
  ]);
  const one = await app.admin.get('/v1/collaborators?email=person7@verde.example').expect(200);
  expect(one.body.data[0].custom_fields).toEqual(values(7));
  const found = '/v1/collaborators?custom_fields[a_number][gte]=14&sort=-custom_fields.a_number&per_page=1';
  const { body } = await app.admin.get(found).expect(200);
  expect([body.meta.total, body.data[0].email]).toEqual([4, 'person59@verde.example']);

  const before = await allPeople();
  expect(before).toHaveLength(60);
  for (const format of ['csv', 'xlsx'] as const) {
    const file = await runExport(app.admin, 'list', { format, department: 'Imported' });
    const back = await runImport(app.admin, { file, filename: `back.${format}`, mode: 'upsert', match_by: 'email' });
    expect([format, back.status, back.counts]).toEqual([
      format,
      'completed',
      { created: 0, updated: 0, unchanged: 60, skipped: 0, failed: 0 },
    ]);
  }
  expect(await allPeople()).toEqual(before);
});

test('an export has the labels of options in its language, and an import accepts them', async () => {
  const options = [
    { key: 'office', label: { default: 'Office', pt: 'Escritório' } },
    { key: 'road', label: { default: 'On the road' } },
  ];
  await defineField(app.admin, { key: 'place', type: 'choice', options });
  await defineField(app.admin, { key: 'places', type: 'multi_choice', options });
  const person = { name: 'Lia', email: 'lia@verde.example', position: 'x', department: 'Labels' };
  const values = { place: 'office', places: ['office', 'road'] };
  await app.admin.post('/v1/collaborators', { ...person, custom_fields: values }).expect(201);
  const query = { format: 'csv', department: 'Labels', fields: 'email,custom_fields.place,custom_fields.places' };
  const file = await runExport(app.admin, 'list', { ...query, language: 'pt', delimiter: 'comma' });
  expect(csvOf(file)[1]!.slice(2)).toEqual(['Escritório', 'Escritório; On the road']);
  const back = await runImport(app.admin, { file, mode: 'upsert', match_by: 'email' });
  expect(back.counts).toMatchObject({ unchanged: 1, failed: 0 });
  for (const key of ['place', 'places']) await app.admin.delete(`/v1/custom-fields/${key}?confirm=${key}`).expect(202);
});

test('reports errors by cell', async () => {
  const rows = [
    ['Eva', 'eva@verde.example', 'x', 'y', 'many', 'B7000'],
    ['Rui', 'rui@verde.example', 'x', 'y', '3', 'B7000'],
    ['Ida', 'ida@verde.example', 'x', 'y', '3', 'B7'],
  ];
  const job = await runImport(app.admin, { file: csv([[...requiredHeaders, 'a_number', 'badge'], ...rows]) });
  const errors = (await errorsOf(app.admin, job.id)).map(({ row, column, field, code }) => [row, column, field, code]);
  expect(errors).toEqual([
    [2, 'E', 'custom_fields.a_number', 'invalid_type'],
    [3, 'F', 'custom_fields.badge', 'duplicate'],
    [4, 'F', 'custom_fields.badge', 'taken'],
  ]);
});

test('an export with a sensitive field is restricted to readers with access, and imports omit the field', async () => {
  const person = { name: 'Zoe', email: 'zoe@verde.example', position: 'x', department: 'Secret' };
  await app.admin.post('/v1/collaborators', { ...person, custom_fields: { pay_grade: 'G4711' } }).expect(201);
  const { scopes } = await import('../../../src/identity/grants/scopes.ts');
  const without = await app.as('admin', {
    scopes: Object.keys(scopes).filter((name) => name !== 'custom_fields:sensitive'),
  });
  const { body } = await without.get('/v1/collaborators/export/list?department=Secret').expect(200);
  expect(body.omitted).toContain('custom_fields.pay_grade');
  const own = (await app.admin.get('/v1/collaborators/export/list?department=Secret').expect(200)).body;
  const restricted = (await without.get(`/v1/exports/${own.id}`).expect(200)).body;
  expect([restricted.url, restricted.restricted_fields]).toEqual([undefined, ['url']]);

  const file = csv([
    ['email', 'pay_grade', 'a_text'],
    ['zoe@verde.example', 'G1', 'x'],
  ]);
  const job = await runImport(app.admin, { file, mode: 'upsert' });
  expect(job.columns.map(({ field }) => field)).toEqual(['email', null, 'custom_fields.a_text']);
  const [row] = await app.database.query(`select custom_fields from collaborators where email = 'zoe@verde.example'`);
  expect(row!.custom_fields).toEqual({ pay_grade: 'G4711', a_text: 'x' });
});

test('the template has a column for each field, with its options', async () => {
  const { body: workbook } = await app.admin.get('/v1/collaborators/import-template?format=xlsx').expect(200);
  const cells = new Set(
    Object.values(sheetsOf(await download(workbook.url)))
      .flat(2)
      .map(String),
  );
  for (const label of ['S', 'M', 'L']) expect(cells).toContain(label);

  const { body } = await app.admin.get('/v1/collaborators/import-template?format=csv&language=pt').expect(200);
  const own = body.columns.filter(({ key }: { key: string }) => key.startsWith('custom_fields.'));
  expect(own.map(({ header }: { header: string }) => header)).toEqual([
    ...oneOfEach.map(({ key }) => key),
    'badge',
    'Alcunha',
  ]);
  expect((await app.admin.get('/v1/collaborators/import-template').expect(200)).body.columns).toHaveLength(
    body.columns.length,
  );
});

test('a label that equals another column’s name isn’t used as a header', async () => {
  for (const key of ['last_name', 'reports_to']) await defineField(app.admin, { key, type: 'text' });
  const [header] = csvOf(await runExport(app.admin, 'list', { format: 'csv', department: 'Secret' }));
  expect(header!.filter((name) => name === 'Name')).toHaveLength(1);
  expect(header).toEqual(
    expect.arrayContaining(['nickname', 'last_name', 'reports_to'].map((key) => `custom_fields.${key}`)),
  );
});
