import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import * as XLSX from 'xlsx';
import { writeCsv } from '../../../src/platform/sheets/csv/write-csv.ts';
import { type Sheet, type SheetColumn, sheetName } from '../../../src/platform/sheets/model/sheet.ts';
import type { Cell } from '../../../src/platform/sheets/model/types.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { writeJson } from '../../../src/platform/sheets/write-json.ts';
import { writeWorkbook } from '../../../src/platform/sheets/xlsx/write-xlsx.ts';
import { readAll } from './workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const columns: SheetColumn[] = [
  { header: 'Name', kind: 'text' },
  { header: 'Phone', kind: 'text' },
  { header: 'Salary', kind: 'money' },
  { header: 'Hire date', kind: 'date' },
  { header: 'Created', kind: 'datetime' },
  { header: 'Active', kind: 'boolean' },
];
const row: Cell[] = ['=1+1', '+55 11 91234-5678', 68_400.5, '2026-03-02', '2026-03-02T09:15:00.000Z', true];

describe('a workbook', () => {
  test('is read by another library with types, formats, and escaped texts', async () => {
    const bytes = await buffer(writeWorkbook([{ name: 'People', columns, groups: [[row]] }], { title: 'People' }));
    const sheet = XLSX.read(bytes, { cellNF: true, cellText: true, cellFormula: true }).Sheets.People!;
    expect(sheet['!ref']).toBe('A1:F2');
    expect(sheet.A2).toMatchObject({ t: 's', v: "'=1+1" });
    expect(sheet.A2.f).toBeUndefined();
    expect(sheet.B2).toMatchObject({ t: 's', v: '+55 11 91234-5678' });
    expect(sheet.C2).toMatchObject({ t: 'n', v: 68_400.5, w: '68,400.50' });
    expect(sheet.D2).toMatchObject({ t: 'n', v: 46_083, w: '2026-03-02' });
    expect(sheet.E2).toMatchObject({ t: 'n', w: '2026-03-02 09:15:00' });
    expect(sheet.F2).toMatchObject({ t: 'b', v: true });
  });

  test('can have many sheets discovered while writing, with valid names', async () => {
    async function* sheets(): AsyncGenerator<Sheet> {
      for (const name of ['R&D / Lab', 'r&d   lab', 'History', '', 'x'.repeat(40), 'Lists']) {
        yield { name, columns: columns.slice(0, 1), groups: [[[name]]] };
      }
    }
    const book = XLSX.read(await buffer(writeWorkbook(sheets(), { title: 'Groups' })));
    expect(book.SheetNames).toEqual(['R&D Lab', 'r&d lab (2)', 'History sheet', 'sheet', 'x'.repeat(31), 'Lists (2)']);
    expect(book.Sheets['x'.repeat(31)]!.A2.v).toBe('x'.repeat(40));
  });

  test('has no empty sheet that wouldn’t open', async () => {
    const book = XLSX.read(await buffer(writeWorkbook([{ name: 'None', columns, groups: [] }], { title: 'None' })));
    expect(XLSX.utils.sheet_to_json(book.Sheets.None!, { header: 1 })).toEqual([columns.map(({ header }) => header)]);
  });

  test('reports when its rows fail, and stops reading when abandoned', async () => {
    async function* failing() {
      yield [['a']];
      throw new Error('database lost');
    }
    const failed = writeWorkbook([{ name: 'A', columns, groups: failing() }], { title: 'A' });
    await expect(buffer(failed)).rejects.toThrow('database lost');

    let isClosed = false;
    async function* endless() {
      try {
        for (let at = 0; ; at++) {
          await setImmediate();
          yield Array.from({ length: 500 }, (_, cell) => [String((at + 1) * (cell + 7) * 7919)]);
        }
      } finally {
        isClosed = true;
      }
    }
    const abandoned = writeWorkbook([{ name: 'A', columns, groups: endless() }], { title: 'A' });
    for await (const _ of abandoned) break;
    while (!isClosed) await setImmediate();
  });

  test('accepts the longest cell text, even with an added apostrophe', async () => {
    const longest = 'x'.repeat(32_767);
    const formula = `=${'y'.repeat(32_766)}`;
    const file = await buffer(writeWorkbook([{ name: 'A', columns, groups: [[[longest, formula]]] }], { title: 'A' }));
    const { rows } = await readAll(reader, file);
    expect(rows[1]!.cells).toEqual([longest, formula.slice(0, -1)]);
  });

  test('reports an error from before it is read, without crashing', async () => {
    const output = writeWorkbook([{ name: 'A', columns, groups: [[['x'.repeat(40_000)]]] }], { title: 'A' });
    await new Promise((resolve) => output.once('close', resolve));
    await expect(pipeline(output, new PassThrough())).rejects.toMatchObject({ code: 'cell_too_long' });
  });

  test('rejects a text too long for a cell', async () => {
    const groups = [[['x'.repeat(40_000)]]];
    await expect(buffer(writeWorkbook([{ name: 'A', columns, groups }], { title: 'A' }))).rejects.toMatchObject({
      code: 'cell_too_long',
      details: { row: 2, column: 'A' },
    });
  });

  test('produces rows only as fast as it is read', async () => {
    let rowCount = 0;
    async function* groups() {
      for (; rowCount < 10_000; rowCount++)
        yield Array.from({ length: 100 }, (_, at) => [
          `${rowCount * 7919 * (at + 1)}`,
          String(Math.sin(rowCount + at)),
        ]);
    }
    const file = writeWorkbook([{ name: 'A', columns, groups: groups() }], { title: 'A' });
    for await (const _ of file) {
      for (let turn = 0; turn < 1_000; turn++) await setImmediate();
      break;
    }
    expect(rowCount).toBeLessThan(500);
  });
});

test('sheet names keep whole characters', () => {
  expect(sheetName(`${'x'.repeat(30)}👩`, new Set())).toBe('x'.repeat(30));
  expect(sheetName("'quoted'", new Set())).toBe('quoted');
});

test('CSV opens in Excel: byte order mark, quotes where needed, no formulas', async () => {
  const bytes = await buffer(writeCsv({ columns, groups: [[row, ['a"b', ' x', -5, null, null, false]]] }));
  expect(bytes.toString()).toBe(
    '\uFEFFName,Phone,Salary,Hire date,Created,Active\r\n' +
      "'=1+1,'+55 11 91234-5678,68400.5,2026-03-02,2026-03-02T09:15:00.000Z,true\r\n" +
      '"a""b"," x",-5,,,false\r\n',
  );
});

test('JSON is an array with one object per line', async () => {
  const bytes = await buffer(writeJson([[{ a: 1 }, { a: '=x' }], [], [{ a: null }]]));
  expect(bytes.toString()).toBe('[\n{"a":1},\n{"a":"=x"},\n{"a":null}\n]\n');
  expect(JSON.parse((await buffer(writeJson([]))).toString())).toEqual([]);
});
