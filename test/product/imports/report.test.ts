/** The file with errors can be corrected and imported without further questions. */

import type { Cell } from '../../../src/platform/sheets/model/types.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  type ImportParts,
  requiredHeaders,
  runImport,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { written } from '../../platform/sheets/other-workbooks.ts';
import { readAll, workbook } from '../../platform/sheets/workbooks.ts';

let app: TestApp;
let worker: TestWorker;
const sheets = new SheetReader();
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await sheets.close();
  await worker.stop();
  await app.close();
});

async function reported(parts: ImportParts) {
  const job = await runImport(app.admin, parts);
  const response = await fetch(job.error_report_url!);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { rows } = await readAll(sheets, bytes);
  return { job, bytes, rows: rows.map(({ cells }) => cells), headers: response.headers };
}

const header = [...requiredHeaders, 'Badge', 'hire_date'];
const mapping = { Badge: null };

test('CSV has the rows with errors, all columns, and messages, and is accepted once corrected', async () => {
  const file = csv([
    header,
    ['Good', 'good@example.com', 'x', 'y', '007', '2026-03-02'],
    ['B', 'bad', "'=1+1", 'a\n"b"', '008', '2026-03-03'],
    ['Twice', 'GOOD@example.com', 'x', 'y', null, null],
  ]);
  const { job, rows, headers, bytes } = await reported({ file, mapping, filename: 'new people.csv' });
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="new people-errors\.csv"/);
  expect(headers.get('content-type')).toMatch(/^text\/csv/);
  expect(rows).toEqual([
    [...header, 'Errors'],
    [
      'B',
      'bad',
      '=1+1',
      'a\n"b"',
      '008',
      '2026-03-03',
      [
        'name: Must have at least 2 characters.',
        'email: Must be a valid email address, such as ana@company.example.',
        'department: Must be on one line: it contains a line break (U+000A).',
      ].join('\n'),
    ],
    ['Twice', 'GOOD@example.com', 'x', 'y', null, null, 'email: Row 2 already has this address.'],
  ]);
  const errors = await errorsOf(app.admin, job.id);
  const messages = rows.slice(1).map((row) => row.at(-1));
  expect(messages.join('\n')).toBe(errors.map(({ field, message }) => `${field}: ${message}`).join('\n'));
  const corrected = Buffer.from(
    bytes
      .toString()
      .replace('\nB,bad,', '\nBea,bea@example.com,')
      .replace('"a\n""b"""', '"a ""b"""')
      .replace('GOOD@', 'better@'),
  );
  const reimported = await runImport(app.admin, { file: corrected, mapping });
  expect(reimported).toMatchObject({ status: 'completed', counts: { created: 2 } });
  const { body } = await app.admin.get('/v1/collaborators?search=bea@example.com').expect(200);
  expect(body.data[0]).toMatchObject({ name: 'Bea', position: '=1+1', department: 'a "b"', hire_date: '2026-03-03' });
  await expectConsistent(app);
});

test('CSV uses the delimiter of the original file', async () => {
  const file = Buffer.from(`${header.join(';')};salary\nB;bad;x;y;008;2026-03-03;"5.200,00"\n`);
  const { bytes } = await reported({ file, mapping, filename: 'pessoas.csv' });
  const [first, second] = bytes.toString('utf8').replace('\uFEFF', '').split('\r\n');
  expect(first).toBe([...header, 'salary', 'Errors'].join(';'));
  expect(second).toMatch(/^B;bad;x;y;008;2026-03-03;5200;/);
});

test('a workbook keeps dates and numbers, and leaves formulas without a result empty', async () => {
  const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const names = [...requiredHeaders, 'hire_date', 'Badge'];
  const first = names.map((name, at) => text(`${'ABCDEF'[at]}1`, name)).join('');
  const line = (row: number, email: string, more: string) =>
    `<row r="${row}">${text(`A${row}`, 'Name')}${text(`B${row}`, email)}${text(`C${row}`, 'x')}${more}</row>`;
  const date = '<c r="E2" s="1"><v>46083</v></c><c r="F2"><v>7</v></c>';
  const formula = '<c r="D3"><f>A1</f><v></v></c>';
  const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
  const file = await workbook(
    `<row r="1">${first}</row>${line(2, 'w1@example.com', date)}${line(3, 'w2@example.com', formula)}`,
    {
      'xl/styles.xml': styles,
    },
  );
  const { rows, headers } = await reported({ file, mapping, filename: 'w.xlsx' });
  expect(headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  expect(rows).toEqual<Cell[][]>([
    [...names, 'Errors'],
    ['Name', 'w1@example.com', 'x', null, '2026-03-02', 7, 'department: This field is required.'],
    [
      'Name',
      'w2@example.com',
      'x',
      null,
      null,
      null,
      expect.stringMatching(/^department: The file does not have the result/),
    ],
  ]);
});

test('a workbook of another format, under any name, comes back as xlsx, with a cell of maximum size', async () => {
  const longest = 'x'.repeat(32_767);
  const [first, bad] = [requiredHeaders, [longest, 'bad', 'x', 'y']].map((row) =>
    row.map((v) => ({ t: 's' as const, v })),
  );
  const file = written('ods', { People: [first!, bad!] });
  const { job, rows, headers } = await reported({ file, filename: 'new people.ODS' });
  expect(job).toMatchObject({ format: 'ods', status: 'completed_with_errors', counts: { failed: 1 } });
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="new people-errors\.xlsx"/);
  expect(rows[1]!.slice(0, 2)).toEqual([longest, 'bad']);
});

test('has all rows if nothing was written, and replaces an older error column', async () => {
  const file = csv([
    [...requiredHeaders, 'ERRORS'],
    ['Fine', 'fine@example.com', 'x', 'y', 'old'],
    ['Bad', 'bad', 'x', 'y', 'old'],
  ]);
  for (const parts of [{ dry_run: true }, { on_error: 'abort' }]) {
    const { rows } = await reported({ file, ...parts });
    expect(rows).toEqual([
      [...requiredHeaders, 'Errors'],
      ['Fine', 'fine@example.com', 'x', 'y'],
      ['Bad', 'bad', 'x', 'y', 'email: Must be a valid email address, such as ana@company.example.'],
    ]);
  }
});
