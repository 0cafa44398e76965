/** People in other workbook formats, detected by content, and in CSV files with legacy encodings. */
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import {
  errorsOf,
  expectConsistent,
  requiredHeaders,
  runImport,
  sendImport,
  summarizeErrors,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { encoded } from '../../platform/sheets/older-encodings.ts';
import {
  type Cells,
  kinds,
  odsOf,
  odsTable,
  written,
  xlsFormula,
  xlsOf,
} from '../../platform/sheets/other-workbooks.ts';
import { readAll, workbook } from '../../platform/sheets/workbooks.ts';

let app: TestApp;
let worker: TestWorker;
const sheets = new SheetReader(1);
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await sheets.close();
  await worker.stop();
  await app.close();
});

const text = (v: string) => ({ t: 's' as const, v });
const headers = [...requiredHeaders, 'hire_date', 'salary', 'phone', 'Badge'];
const mapping = { Badge: null };
const person = (name: string, email: string): Cells[number] => [
  text(name),
  text(email),
  text('Planner'),
  text('Operations'),
  { t: 'n', v: 46_083, z: 'yyyy-mm-dd' },
  { t: 'n', v: 1_234.56, z: '#,##0.00' },
  { t: 'n', v: 5_511_912_345_678 },
  { t: 'n', v: 7, z: '0000' },
];

describe.each(kinds)('%s', (kind) => {
  const file = () =>
    written(kind, {
      Notes: [[text('nothing here')]],
      Collaborators: [headers.map(text), person('João Łukasz', `joao@${kind}.example`), person('Ann', 'bad'), []],
    });

  test('is imported under any name, and errors come back as xlsx', async () => {
    const job = await runImport(app.admin, { file: file(), filename: `new people.${kind.toUpperCase()}`, mapping });
    expect(job).toMatchObject({ format: kind, status: 'completed_with_errors', counts: { created: 1, failed: 1 } });
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['B3 email invalid_format']);
    const { body } = await app.admin.get(`/v1/collaborators?search=joao@${kind}.example`).expect(200);
    expect(body.data).toMatchObject([
      { name: 'João Łukasz', hire_date: '2026-03-02', salary: 1_234.56, phone: '5511912345678' },
    ]);

    const report = await fetch(job.error_report_url!);
    expect(report.headers.get('content-disposition')).toMatch(/^attachment; filename="new people-errors\.xlsx"/);
    expect(report.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    const { info, rows } = await readAll(sheets, Buffer.from(await report.arrayBuffer()));
    expect([info.format, rows.length]).toEqual(['xlsx', 2]);
    expect(rows[1]!.cells.slice(0, 8)).toEqual(['Ann', 'bad', 'Planner', 'Operations', '2026-03-02', 1_234.56, 5_511_912_345_678, '0007']);
    await expectConsistent(app);
  }); // biome-ignore format: short

  test('can be sent as base64, and under an unspecific or wrong name', async () => {
    for (const filename of ['people', kind === 'ods' ? 'people.xls' : 'people.ods']) {
      const json = { filename, content_base64: file().toString('base64'), dry_run: true, mapping };
      const { body } = await app.admin.post('/v1/collaborators/import', json).expect(202);
      expect(body).toMatchObject({ filename, format: kind });
      await app.admin.post(`/v1/imports/${body.id}/cancel`);
    }
  });

  test('is rejected under a name ending in .xlsx', async () => {
    const ending = 'xlsx';
    const { body } = await sendImport(app.admin, { file: file(), filename: `people.${ending}` }).expect(400);
    expect(body.details.file).toEqual([
      { code: 'invalid_format', message: `The name ends in .${ending}, but the content is ${kind}.` },
    ]);
  });

  test('has sheets that can be selected', async () => {
    const job = await runImport(app.admin, { file: file(), filename: 'x', sheet: 'Notes' });
    expect(job.failure?.message).toMatch(/^The file has no headers: row 1 has “nothing here”\./);
  }); // biome-ignore format: short
});

test('formulas are read by result in every format', async () => {
  const cells = requiredHeaders.map((name) => `<table:table-cell office:value-type="string"><text:p>${name}</text:p></table:table-cell>`);
  const formula = '<table:table-cell table:formula="of:=1+2" office:value-type="float" office:value="345"/>';
  const ods = odsTable(cells.join('')).replace('</table:table>', `<table:table-row>${formula}</table:table-row></table:table>`);
  const job = await runImport(app.admin, { file: await odsOf(ods), filename: 'people.ods' });
  expect(job.warnings).toEqual([expect.objectContaining({ code: 'formula_results', column: 'A' })]);
  expect(job.preview).toEqual([{ row: 2, values: { name: '345' } }]);
  const result = Buffer.alloc(8);
  const failed = await runImport(app.admin, { file: xlsOf([xlsFormula(0, 0, result)]), filename: 'people.xls' });
  expect(failed.status).toBe('failed');
}); // biome-ignore format: XML

test('a cell of maximum size is in the file with errors', async () => {
  const row = (...values: string[]) =>
    `<table:table-row>${values.map((value) => `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`).join('')}</table:table-row>`;
  const longest = 'x'.repeat(32_767);
  const file = await odsOf(`<table:table>${row(...requiredHeaders)}${row(longest, 'bad', 'a', 'b')}</table:table>`);
  const job = await runImport(app.admin, { file, filename: 'people.ods' });
  expect(job).toMatchObject({ status: 'completed_with_errors', counts: { failed: 1 } });
  const report = await fetch(job.error_report_url!);
  const { rows } = await readAll(sheets, Buffer.from(await report.arrayBuffer()));
  expect(rows[1]!.cells[0]).toBe(longest);
}); // biome-ignore format: XML

test('accepts a workbook with leftover links and trailing bytes', async () => {
  const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = [requiredHeaders, ['Ann', 'ann@links.example', 'Planner', 'Operations']];
  const sheet = rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('');
  const bytes = await workbook(sheet, { 'xl/externalLinks/externalLink1.xml': '<x/>' });
  const job = await runImport(app.admin, {
    file: Buffer.concat([bytes, Buffer.alloc(3_000)]),
    filename: 'people.xlsx',
  });
  expect(job).toMatchObject({ format: 'xlsx', status: 'completed', counts: { created: 1 } });
});

test('a NUL byte in CSV is an error of its row', async () => {
  const line = (name: string, email: string) => `${name},${email}@zero.example,Planner,Operations\n`;
  const file = Buffer.from(`${requiredHeaders.join(',')}\n${line('A\0nn', 'ann')}${line('Bob', 'bob')}`);
  const job = await runImport(app.admin, { file });
  expect(job).toMatchObject({ encoding: 'utf-8', status: 'completed_with_errors', counts: { created: 1, failed: 1 } });
  expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['A2 name invalid_format']);
});

describe('CSV in a legacy encoding', () => {
  const file = (encoding: string, ...names: string[]) => {
    const rows = names.map(
      (name, at) => `${name},${encoding}.${names.length}.${at}@encoding.example,Planner,Operations\n`,
    );
    return encoded(`${requiredHeaders.join(',')}\n${rows.join('')}`, encoding);
  };
  const polish = ['Łukasz Wójcik', 'Małgorzata Kamińska', 'Paweł Dąbrowski'];
  const doubtful = ['Begoña'];
  const namesLike = async (search: string) => {
    const { body } = await app.admin.get('/v1/collaborators').query({ search, sort: 'email' }).expect(200);
    return body.data.map(({ name }: { name: string }) => name);
  };

  test('is imported correctly, and the import names the encoding', async () => {
    const job = await runImport(app.admin, { file: file('windows-1250', ...polish) });
    expect(job).toMatchObject({ format: 'csv', encoding: 'windows-1250', encoding_guess: null, status: 'completed' });
    expect(await namesLike('windows-1250.3.')).toEqual(polish);
  });

  test('isn’t imported without a dry run if uncertain, unless specified', async () => {
    const job = await runImport(app.admin, { file: file('windows-1252', ...doubtful) });
    expect(job).toMatchObject({ encoding: 'windows-1252', status: 'failed', failure: { reason: 'unreadable' } });
    expect(job.encoding_guess).toEqual({
      sample: 'Begoña',
      other_encoding: 'windows-1250',
      other_sample: 'Begońa',
    });
    const [error] = await errorsOf(app.admin, job.id);
    expect(error).toMatchObject({ row: 1, column: null, code: 'invalid_format' });
    expect(error!.message).toMatch(/Begoña.*Begońa.*encoding/);
    expect(await namesLike('windows-1252.1.')).toEqual([]);

    const declared = await runImport(app.admin, { file: file('windows-1252', ...doubtful), encoding: 'windows-1250' });
    expect(declared).toMatchObject({ encoding: 'windows-1250', encoding_guess: null, status: 'completed' });
    expect(await namesLike('windows-1252.1.')).toEqual(['Begońa']);
  });

  test('is shown by a dry run, and committing confirms it', async () => {
    const dry = await runImport(app.admin, { file: file('iso-8859-15', ...doubtful), dry_run: true });
    expect(dry).toMatchObject({ encoding: 'windows-1252', status: 'completed' });
    expect(dry.encoding_guess).toMatchObject({ sample: 'Begoña' });
    await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
    const job = await waitForImport(app.admin, dry.id);
    expect(job).toMatchObject({ encoding: dry.encoding, encoding_guess: dry.encoding_guess, status: 'completed' });
    expect(await namesLike('iso-8859-15.1.')).toEqual(['Begoña']);
  });

  test('fails with advice if undetectable', async () => {
    const bytes = Buffer.from(
      `${requiredHeaders.join()}\nJo\xc6o,a@b.example,Gerente de Opera\x87\xe4es,X\n`,
      'latin1',
    );
    const { failure } = await runImport(app.admin, { file: bytes });
    expect(failure).toMatchObject({ reason: 'unreadable', message: expect.stringContaining('UTF-8') });
  });
});
