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
  waitForImport,
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

  test('has its values in the preview', async () => {
    await defineField(app.admin, { key: 'size', type: 'number' });
    const mapping = { Shoe: 'custom_fields.size' };
    const job = await runImport(app.admin, { file: file(['Shoe'], ['43']), mapping, dry_run: true });
    expect(job.preview[0]!.values).toMatchObject({ 'custom_fields.size': '43' });
    expect(job.preview[0]!.values).not.toHaveProperty('custom_fields');
  });

  test('reports errors at its cells', async () => {
    await defineField(app.admin, { key: 'size', type: 'number' });
    const mapping = { Shoe: 'custom_fields.size' };
    const job = await runImport(app.admin, { file: file(['Shoe'], ['large']), mapping });
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['E2 custom_fields.size invalid_type']);
  });

  test('reads dates in the order that all of its dates fit, reports it, and asks if several do', async () => {
    await defineField(app.admin, { key: 'born', type: 'date' });
    const content = file(['born'], ['03/02/1984'], ['29/02/1984']);
    const dry = await runImport(app.admin, { file: content, dry_run: true });
    expect([dry.status, dry.columns[4], dry.warnings]).toEqual([
      'completed',
      expect.objectContaining({ field: 'custom_fields.born', date_order: 'dmy' }),
      [expect.objectContaining({ code: 'date_order', column: 'E' })],
    ]);
    await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
    await waitForImport(app.admin, dry.id);
    expect([await valuesOf(serial - 1), await valuesOf()]).toEqual([{ born: '1984-02-03' }, { born: '1984-02-29' }]);
    const asked = await runImport(app.admin, { file: file(['born'], ['03/02/1984']), dry_run: true });
    expect([asked.status, asked.questions]).toEqual(['needs_answers', [expect.objectContaining({ id: 'date_order' })]]);
    await runImport(app.admin, { file: file(['born'], ['3 Feb 1984']) });
    expect(await valuesOf()).toEqual({ born: '1984-02-03' });
    const times = await runImport(app.admin, { file: file(['born'], ['1984-02-03 08:30'], ['soon'], ['1983-02-29']) });
    expect((await errorsOf(app.admin, times.id)).map(({ field, message }) => [field, message])).toEqual([
      ['custom_fields.born', 'Must be a date without a time.'],
      ['custom_fields.born', 'Must be a date, such as 2026-03-02.'],
      ['custom_fields.born', 'Must be a date, such as 2026-03-02.'],
    ]);
  });

  test('reads numbers of any country, with currencies and percentages, and asks about ambiguous ones', async () => {
    await defineField(app.admin, { key: 'rate', type: 'number' });
    const texts = ['R$ 1.234,56', '12,5 %', '3.500', '0,125'];
    const dry = await runImport(app.admin, { file: file(['rate'], ...texts.map((text) => [text])), dry_run: true });
    expect([dry.status, dry.warnings.map(({ code }) => code)]).toEqual(['completed', ['decimal', 'currency']]);
    expect(dry.preview.map(({ values }) => values['custom_fields.rate'])).toEqual([
      '1234.56',
      '0.125',
      '3500',
      '0.125',
    ]);
    const ambiguous = file(['rate'], ['3.500']);
    const asked = await runImport(app.admin, { file: ambiguous, dry_run: true });
    expect([asked.status, asked.questions]).toEqual(['needs_answers', [expect.objectContaining({ id: 'decimal' })]]);
    await runImport(app.admin, { file: ambiguous, decimal: 'point' });
    expect(await valuesOf()).toEqual({ rate: 3.5 });
  });

  test('reads yes and no as people and spreadsheets write them in five languages', async () => {
    await defineField(app.admin, { key: 'car', type: 'boolean' });
    const words = {
      true: ['yes', 'Sim', 'Sí', 'Ja', 'Oui', 'VERDADEIRO', 'VERDADERO', 'WAHR', 'VRAI', 'x'],
      false: ['no', 'Não', 'nein', 'Non', 'FALSO', 'FALSCH', 'FAUX'],
    };
    for (const [value, texts] of Object.entries(words)) {
      const from = serial;
      const job = await runImport(app.admin, { file: file(['car'], ...texts.map((text) => [text])) });
      expect([job.status, job.counts.created]).toEqual(['completed', texts.length]);
      expect(await valuesOf(from + 1)).toEqual({ car: value === 'true' });
      const all = `select custom_fields->>'car' as car from collaborators where email like 'own%' and custom_fields ? 'car'`;
      const stored = await app.database.query(all);
      expect(stored.filter(({ car }) => car === value)).toHaveLength(texts.length);
    }
  });

  test('shows the decimal sign of salaries, in any order of the columns', async () => {
    await defineField(app.admin, { key: 'rate', type: 'number' });
    for (const headers of [
      ['rate', 'salary'],
      ['salary', 'rate'],
    ]) {
      const values = headers.map((header) => (header === 'rate' ? '12,5' : '68.400'));
      const job = await runImport(app.admin, { file: file(headers, values), dry_run: true });
      expect([job.status, job.preview[0]?.values]).toEqual([
        'completed',
        expect.objectContaining({ salary: '68400', 'custom_fields.rate': '12.5' }),
      ]);
    }
  });

  test.each([
    ['an unknown field', 'custom_fields.nothing', 'not_found'],
    ['an archived field', 'custom_fields.gone', 'not_found'],
    ['a sensitive field', 'custom_fields.iban', 'field_not_allowed'],
    ['an invalid key', 'custom_fields.A', 'invalid_format'],
    ['an unknown standard field', 'begin', 'invalid_format'],
  ])('can’t be %s', async (_name, target, code) => {
    await defineField(app.admin, { key: 'iban', type: 'text', sensitive: true });
    await defineField(app.admin, { key: 'gone', type: 'text' });
    await app.admin.patch(`${fieldsPath}/gone`, { archived: true }).expect(200);
    const { body } = await sendImport(app.admin, { file: file(['x'], ['y']), mapping: { x: target } }).expect(400);
    expect(body.details).toEqual({ 'mapping.x': [expect.objectContaining({ code })] });
  });

  test('is an error if the field was archived after the dry run', async () => {
    await defineField(app.admin, { key: 'size', type: 'number' });
    const mapping = { Shoe: 'custom_fields.size' };
    const dry = await runImport(app.admin, { file: file(['Shoe'], ['43']), mapping, dry_run: true });
    await app.admin.patch(`${fieldsPath}/size`, { archived: true }).expect(200);
    const { body } = await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
    const job = await waitForImport(app.admin, body.id);
    expect([job.status, summarizeErrors(await errorsOf(app.admin, job.id))]).toEqual([
      'failed',
      ['E1 custom_fields.size not_found'],
    ]);
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

describe('a header that is the label of several fields', () => {
  const define = async (key: string, label: string, more: object = {}) => {
    await app.admin.post(fieldsPath, { key, type: 'text', label: { default: label }, ...more }).expect(201);
  };
  const sizes = async () => {
    await define('shirt', 'Size');
    await define('shoe', 'size');
  };

  test('is refused with their names, as none of them may be chosen silently', async () => {
    await sizes();
    const content = file(['Size'], ['43']);
    const refused = await runImport(app.admin, { file: content });
    expect((await errorsOf(app.admin, refused.id)).map(({ column, code, message }) => [column, code, message])).toEqual(
      [
        [
          ...['E', 'field_not_allowed'],
          'Several fields are called “Size”. Choose one with `mapping`: custom_fields.shirt, custom_fields.shoe',
        ],
      ],
    );
    const mapped = await runImport(app.admin, { file: content, mapping: { Size: 'custom_fields.shirt' } });
    expect([mapped.status, await valuesOf()]).toEqual(['completed', { shirt: '43', shoe: null }]);
  });

  test('is ignored with a warning in a dry run, or if unknown columns are ignored', async () => {
    await sizes();
    const message = 'These columns are ignored, because several fields have their name: “Size [required]”';
    for (const parts of [{ dry_run: true }, { unknown_columns: 'ignore' }]) {
      const job = await runImport(app.admin, { file: file(['Size [required]'], ['43']), ...parts });
      expect([job.status, job.columns[4]!.field, job.warnings]).toEqual([
        'completed',
        null,
        [{ code: 'columns_left_out', message, column: 'E' }],
      ]);
    }
    expect(await valuesOf()).toEqual({ shirt: null, shoe: null });
  });

  test('can also be the key of one of them', async () => {
    await define('size', 'Shirt size');
    await define('shoe', 'Size');
    const job = await runImport(app.admin, { file: file(['size'], ['43']) });
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['E1 - field_not_allowed']);
    const byKey = ['Shirt size', 'custom_fields.shoe'];
    expect((await runImport(app.admin, { file: file(byKey, ['m', '43']) })).status).toBe('completed');
    expect(await valuesOf()).toEqual({ size: 'm', shoe: '43' });
  });

  test('is the name of a standard field first', async () => {
    await define('one', 'Telefone');
    await define('other', 'Telefone');
    const job = await runImport(app.admin, { file: file(['Telefone'], ['+351 210 000 000']) });
    expect([job.status, job.columns[4]!.field]).toEqual(['completed', 'phone']);
  });

  test('hides the values if one of the fields is sensitive', async () => {
    await define('open', 'Allergies');
    await define('hidden', 'Allergies', { sensitive: true });
    const job = await runImport(app.admin, { file: file(['Allergies'], ['Peanuts']), dry_run: true });
    expect([job.columns[4]!.field, JSON.stringify(job)]).toEqual([null, expect.not.stringContaining('Peanuts')]);
    expect(job.warnings.map(({ code }) => code)).toEqual(['columns_left_out']);
  });

  test('is not in an export, whose columns are imported again', async () => {
    await sizes();
    await runImport(app.admin, { file: file(['custom_fields.shirt', 'custom_fields.shoe'], ['m', '43']) });
    const query = { format: 'csv', department: 'Own', search: `own${serial}@` };
    const exported = await runExport(app.admin, 'list', query);
    expect(csvOf(exported)[0]).toEqual(expect.arrayContaining(['custom_fields.shirt', 'custom_fields.shoe']));
    const before = await valuesOf();
    const job = await runImport(app.admin, { file: exported, mode: 'upsert' });
    expect([job.status, await valuesOf(), before]).toEqual(['completed', before, { shirt: 'm', shoe: '43' }]);
  });
});
