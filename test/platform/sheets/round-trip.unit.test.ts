import { buffer } from 'node:stream/consumers';
import { writeCsv } from '../../../src/platform/sheets/csv/write-csv.ts';
import { escapeFormula, restore } from '../../../src/platform/sheets/model/formula-escape.ts';
import type { SheetColumn } from '../../../src/platform/sheets/model/sheet.ts';
import type { Cell } from '../../../src/platform/sheets/model/types.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { writeWorkbook } from '../../../src/platform/sheets/xlsx/write-xlsx.ts';
import fc from '../../helpers/property.ts';
import { readAll } from './workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const hostile = [
  '=1+1', '+1', '-1', '@SUM(A1)', "'", "''", "'=1", "''=1", '\t=1', '\n=1', '\r\n-1', ' =1', '\u00a0=1', '\u200b=1', '＝1', '-', '=',
  "'abc", '007', '+55 11 91234-5678', '1e5', 'TRUE', 'NULL', '#N/A', '2026-03-02', 'a"b', '"', '""', 'a,b', 'a;b', 'a\tb',
  'a\nb', 'a\r\nb', 'a\rb', ' a ', '\n', '_x000D_', '_x0041_x', '_x_', '<b>&amp;</b>', ']]>', '<!--', '\ufeffa', 'sep=;',
  '=cmd|\' /C calc\'!A0', '=HYPERLINK("http://x.example","y")', '日本語', '👩‍💻', '\u0001', '\u001f', '\ufffe', '\uffff', '\u0085', '\u2028',
]; // biome-ignore format: a list
const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.tuple(fc.constantFrom(...hostile), fc.constantFrom(...hostile)).map((pair) => pair.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }).map((string) => string.replaceAll('\0', '')),
);
const cell = fc.oneof(
  text.filter((string) => string !== ''),
  fc.constant(null),
);
const columns: SheetColumn[] = ['A', 'B', 'C'].map((header) => ({ header, kind: 'text' }));
const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 60 });

describe('neutralise and restore', () => {
  test('are inverse for any text', () => {
    fc.assert(
      fc.property(text, (string) => restore(escapeFormula(string)) === string),
      { numRuns: 200 },
    );
  });

  test('leave no text that starts a formula', () => {
    fc.assert(
      fc.property(text, (string) => !/^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u.test(escapeFormula(string))),
      { numRuns: 200 },
    );
  });

  test('don’t change ordinary texts', () => {
    for (const string of ["O'Neill", 'Ana-Maria', 'a=b', "'quoted'", '5']) expect(escapeFormula(string)).toBe(string);
  });
});

describe.each([
  ['xlsx', (data: Cell[][]) => writeWorkbook([{ name: 'People', columns, groups: [data] }], { title: 'People' })],
  ['csv', (data: Cell[][]) => writeCsv({ columns, groups: [data] })],
] as const)('%s', (_format, write) => {
  test('returns every text that was written', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (data) => {
        const read = await readAll(reader, await buffer(write(data)));
        const expected = data.map((cells) => {
          const length = cells.findLastIndex((value) => value !== null) + 1;
          return cells.slice(0, length);
        });
        expect(read.rows.slice(1).map(({ cells }) => cells)).toEqual(expected.filter(({ length }) => length > 0));
      }),
      { numRuns: 8 },
    );
  });
});

test('a workbook returns numbers, dates, and booleans with their types', async () => {
  const number = fc.oneof(
    fc.integer({ min: 0, max: 99_999_999_999 }).map((cents) => cents / 100),
    fc.integer(),
  );
  const date = fc
    .date({ min: new Date('1900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10));
  const data = fc.array(fc.tuple(number, date, fc.boolean()), { minLength: 1, maxLength: 60 });
  const typed: SheetColumn[] = [
    { header: 'Salary', kind: 'money' },
    { header: 'Hire date', kind: 'date' },
    { header: 'Active', kind: 'boolean' },
  ];
  await fc.assert(
    fc.asyncProperty(data, async (cells) => {
      const file = writeWorkbook([{ name: 'People', columns: typed, groups: [cells] }], { title: 'People' });
      const read = await readAll(reader, await buffer(file));
      expect(read.rows.slice(1).map((row) => row.cells)).toEqual(cells.map((row) => row.map((v) => (v === 0 ? 0 : v))));
    }),
    { numRuns: 8 },
  );
});
