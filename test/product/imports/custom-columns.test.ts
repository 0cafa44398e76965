/** Columns mapped to custom fields, and columns of sensitive fields, whose values never appear in an import. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { clearFields, defineField, fieldsPath } from '../../helpers/resources/custom-fields.ts';
import { csvOf, runExport } from '../../helpers/resources/exports.ts';
import {
  csv,
  errorsOf,
  requiredHeaders,
  runImport,
  sendImport,
  summarizeErrors,
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
afterEach(() => clearFields(app));

let serial = 0;
const file = (headers: readonly string[], ...rows: readonly (readonly string[])[]) => {
  const all = rows.map((values) => {
    serial += 1;
    return [`Person ${serial}`, `own${serial}@verde.example`, 'Planner', 'Own', ...values];
  });
  return csv([[...requiredHeaders, ...headers], ...all]);
};
const valuesOf = async (number = serial) => {
  const { body } = await app.admin.get(`/v1/collaborators?email=own${number}@verde.example`).expect(200);
  return body.data[0].custom_fields;
};

describe('a column mapped to a custom field', () => {
  test('is read as that field, whatever its header', async () => {
    await defineField(app.admin, { key: 'size', type: 'number' });
    await defineField(app.admin, { key: 'badge', type: 'text' });
    const mapping = { 'Shoe no.': 'custom_fields.size', Phone: 'custom_fields.badge' };
    const job = await runImport(app.admin, { file: file(['Shoe no.', 'Phone'], ['43', 'B7']), mapping });
    expect([job.status, job.columns.slice(4).map(({ field }) => field)]).toEqual([
      'completed',
      ['custom_fields.size', 'custom_fields.badge'],
    ]);
    expect(await valuesOf()).toEqual({ size: 43, badge: 'B7' });
  });

  test('reports errors at its cells', async () => {
    await defineField(app.admin, { key: 'size', type: 'number' });
    const mapping = { Shoe: 'custom_fields.size' };
    const job = await runImport(app.admin, { file: file(['Shoe'], ['large']), mapping });
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['E2 custom_fields.size invalid_type']);
  });

  test('can’t be an unknown, archived, or sensitive field, or an invalid name', async () => {
    const targets = [
      ['custom_fields.nothing', 'not_found'],
      ['custom_fields.gone', 'not_found'],
      ['custom_fields.iban', 'field_not_allowed'],
      ['custom_fields.A', 'invalid_format'],
      ['begin', 'invalid_format'],
    ] as const;
    await defineField(app.admin, { key: 'iban', type: 'text', sensitive: true });
    await defineField(app.admin, { key: 'gone', type: 'text' });
    await app.admin.patch(`${fieldsPath}/gone`, { archived: true }).expect(200);
    for (const [target, code] of targets) {
      const { body } = await sendImport(app.admin, { file: file(['x'], ['y']), mapping: { x: target } }).expect(400);
      expect([target, body.details]).toEqual([target, { 'mapping.x': [expect.objectContaining({ code })] }]);
    }
  });
});

test.each([
  ['an active', false],
  ['an archived', true],
])('values of %s sensitive field don’t appear in the import', async (_name, archived) => {
  await app.admin
    .post(fieldsPath, { key: 'iban', type: 'text', sensitive: true, label: { default: 'Bank account' } })
    .expect(201);
  if (archived) await app.admin.patch(`${fieldsPath}/iban`, { archived: true }).expect(200);
  const content = file(['Bank Account', 'hire_date'], ['PT50-4711', 'no date'], ['=1/0 PT50-4711', '2026-03-02']);
  const job = await runImport(app.admin, { file: content, dry_run: true });
  expect(job.counts).toMatchObject({ created: 1, failed: 1 });
  expect(JSON.stringify(job.warnings)).toContain('sensitive fields');
  const { body, text } = await app.admin.get(`/v1/imports/${job.id}`).expect(200);
  expect(text).not.toContain('PT50-4711');
  const report = await fetch(body.error_report_url);
  expect([report.status, (await report.text()).includes('PT50-4711')]).toEqual([200, false]);
  const rows = await app.database.query('select to_json(t)::text as row from import_errors t');
  expect(rows.map(({ row }) => row).join()).not.toContain('PT50-4711');
});

test('nor in the report of a canceled import, which is written separately', async () => {
  await defineField(app.admin, { key: 'iban', type: 'text', sensitive: true });
  const content = file(['iban', 'hire_date'], ['PT50-4711', 'no date']);
  const { id } = await runImport(app.admin, { file: content, dry_run: true });
  await app.database.query(`update imports set status = 'cancelled', report_key = null where id = $1`, [id]);
  await runImport(app.admin, { file: file([], []), dry_run: true }); // wakes the worker
  const url = await eventually(async () => {
    const { body } = await app.admin.get(`/v1/imports/${id}`).expect(200);
    expect(body.error_report_url).toBeTruthy();
    return body.error_report_url;
  });
  const report = await (await fetch(url)).text();
  expect([report.includes('no date'), report.includes('PT50-4711')]).toEqual([true, false]);
});

test('labels of several fields are not in an export, whose columns are imported again', async () => {
  for (const [key, label] of Object.entries({ shirt: 'Size', shoe: 'size' }))
    await defineField(app.admin, { key, type: 'text', label: { default: label } });
  await runImport(app.admin, { file: file(['custom_fields.shirt', 'custom_fields.shoe'], ['m', '43']) });
  const query = { format: 'csv', department: 'Own', search: `own${serial}@` };
  const exported = await runExport(app.admin, 'list', query);
  expect(csvOf(exported)[0]).toEqual(expect.arrayContaining(['custom_fields.shirt', 'custom_fields.shoe']));
  const before = await valuesOf();
  const job = await runImport(app.admin, { file: exported, mode: 'upsert' });
  expect([job.status, await valuesOf(), before]).toEqual(['completed', before, { shirt: 'm', shoe: '43' }]);
});
