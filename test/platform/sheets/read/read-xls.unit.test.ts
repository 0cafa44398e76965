/** Excel 97 to 2003 workbooks, record by record. */
import { SheetReader } from '../../../../src/platform/sheets/reader.ts';
import { record, xlsRecord } from '../../../../src/platform/sheets/xls/xls-records.ts';
import { uint32 } from '../../../../src/platform/sheets/xls/xlsb-records.ts';
import {
  cellPosition,
  container,
  double,
  sharedText,
  uint16,
  type XlsParts,
  xlsFormat,
  xlsFormula,
  xlsNumber,
  xlsOf,
  xlsSharedText,
  xlsStream,
  xlsStyle,
} from '../other-workbooks.ts';
import { readAll, refusal } from '../workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const rowsOf = async (cells: Buffer[], parts?: XlsParts) => (await readAll(reader, xlsOf(cells, parts))).rows;
const text = (row: number, column: number, value: string) =>
  xlsRecord(record.text, cellPosition(row, column), sharedText(value));
const texts = (...parts: Buffer[]) => xlsRecord(record.sharedTexts, uint32(0), uint32(0), ...parts);
const more = (...parts: Buffer[]) => xlsRecord(record.more, ...parts);
const hyperlinks = 0x01b8;

describe('cells', () => {
  test('numbers in each encoding', async () => {
    const short = Buffer.concat([uint16(0), uint32(((1234 << 2) | 2) >>> 0)]);
    const hundredth = Buffer.concat([uint16(0), uint32(((1234 << 2) | 3) >>> 0)]);
    const row = await rowsOf([
      xlsNumber(0, 0, 0.1),
      xlsRecord(record.shortNumber, cellPosition(0, 1).subarray(0, 4), short),
      xlsRecord(record.numbers, cellPosition(0, 2).subarray(0, 4), short, hundredth, uint16(3)),
      xlsRecord(record.boolean, cellPosition(0, 4), Buffer.from([1, 0])),
    ]);
    expect(row).toEqual([{ row: 1, cells: [0.1, 1234, 1234, 12.34, true] }]);
  });

  test('formulas are reported with their cached results, and not evaluated', async () => {
    const special = (kind: number, value: number) => Buffer.from([kind, 0, value, 0, 0, 0, 0xff, 0xff]);
    const sharedFormula = xlsRecord(0x04bc, Buffer.alloc(10));
    const [row] = await rowsOf([
      xlsFormula(0, 0, double(3)),
      xlsFormula(0, 1, special(0, 0)),
      sharedFormula,
      xlsRecord(record.formulaText, sharedText('ab')),
      xlsFormula(0, 2, special(1, 1)),
      xlsFormula(0, 3, special(2, 0x17)),
      xlsFormula(0, 4, special(3, 0)),
      text(0, 5, 'x'),
    ]);
    expect(row).toEqual({
      row: 1,
      cells: [null, null, null, null, null, 'x'],
      problems: [
        { column: 0, code: 'formula', text: '3', value: 3 },
        { column: 1, code: 'formula', text: 'ab', value: 'ab' },
        { column: 2, code: 'formula', text: '1', value: true },
        { column: 3, code: 'cell_error', text: '#REF!' },
        { column: 4, code: 'formula', text: '', value: '' },
      ],
    });
  });

  test('shared strings in one or two bytes, with formatting, split anywhere', async () => {
    const runs = Buffer.concat([uint16(2), Buffer.from([8]), uint16(1), Buffer.from('ab'), Buffer.alloc(4)]);
    const spoken = Buffer.concat([uint16(1), Buffer.from([4]), uint32(3), Buffer.from('z'), Buffer.alloc(3)]);
    const torn = Buffer.concat([uint16(6), Buffer.from([0]), Buffer.from('João', 'latin1')]);
    const shared = [
      texts(sharedText('plain', 0), sharedText('日本'), runs, spoken.subarray(0, 9)),
      more(spoken.subarray(9), sharedText('', 0), torn),
      more(Buffer.from([1]), Buffer.from('Ł', 'utf16le')),
      more(Buffer.from([0]), Buffer.from('x')),
    ];
    const rows = await rowsOf(
      [0, 1, 2, 3, 4, 5].map((number) => xlsSharedText(number, 0, number)),
      { shared },
    );
    expect(rows.map(({ cells }) => cells[0])).toEqual(['plain', '日本', 'ab', 'z', 'JoãoŁx']);
    expect(rows.map(({ row }) => row)).toEqual([1, 2, 3, 4, 6]);
  });

  test.each(['é', 'Ł'])('a text of 32,767 %s is accepted, and one more rejected', async (letter) => {
    const long = (count: number) => {
      const bytes = Buffer.from(letter.repeat(count), 'utf16le');
      const parts = Array.from({ length: Math.ceil(bytes.length / 8_000) }, (_, at) => bytes.subarray(at * 8_000, at * 8_000 + 8_000));
      return [texts(uint16(count), Buffer.from([1]), parts[0]!), ...parts.slice(1).map((part) => more(Buffer.from([1]), part))];
    };
    const [row] = await rowsOf([xlsSharedText(0, 0, 0)], { shared: long(32_767) });
    expect(row!.cells).toEqual([letter.repeat(32_767)]);
    expect(await refusal(reader, xlsOf([xlsSharedText(3, 1, 0)], { shared: long(32_768) }))).toMatchObject({ code: 'cell_too_long', details: { row: 4, column: 'B' } });
  }); // biome-ignore format: short

  test('built-in formats, including East Asian ones', async () => {
    const shared = [0, 14, 27, 57, 9, 170].map(xlsStyle);
    const cells = shared.map((_, style) => xlsNumber(0, style, 46_083, style));
    const [row] = await rowsOf(cells, { shared: [...shared, xlsFormat(170, 'dd/mm/yyyy;@')] });
    expect(row!.cells).toEqual([46_083, '2026-03-02', '2026-03-02', '2026-03-02', '4608300%', '2026-03-02']);
  });

  test('custom formats of one file don’t affect the next', async () => {
    const poison = [xlsFormat(0, 'yyyy'), xlsFormat(14, '0'), xlsStyle(0), xlsStyle(14)];
    const cells = [xlsNumber(0, 0, 46_083, 0), xlsNumber(0, 1, 46_083, 1), xlsNumber(0, 2, 7, 5)];
    expect((await rowsOf(cells, { shared: poison }))[0]!.cells.slice(0, 2)).toEqual(['2026-03-02', 46_083]);
    expect((await rowsOf(cells, { shared: [xlsStyle(0), xlsStyle(14)] }))[0]!.cells).toEqual([46_083, '2026-03-02', 7]);
  });

  test('rows in any order', async () => {
    const rows = await rowsOf([xlsNumber(7, 0, 8), xlsNumber(2, 1, 3), xlsNumber(2, 0, 2)]);
    expect(rows).toEqual([
      { row: 3, cells: [2, 3] },
      { row: 8, cells: [8] },
    ]);
  });

  test('cells of an embedded chart are ignored', async () => {
    const chart = [xlsRecord(record.begin, Buffer.alloc(16)), xlsNumber(0, 1, 99), xlsRecord(record.end)];
    expect(await rowsOf([xlsNumber(0, 0, 1), ...chart, xlsNumber(1, 0, 2)])).toEqual([
      { row: 1, cells: [1] },
      { row: 2, cells: [2] },
    ]);
  });
});

describe('expensive requests are ignored or rejected', () => {
  test('links over all cells, hidden rows, sizes, and names', async () => {
    const everywhere = Buffer.concat([uint16(0), uint16(65_535), uint16(0), uint16(65_535), Buffer.alloc(40)]);
    const cells = [xlsRecord(0x0200, uint32(0), uint32(0xffff_ffff), Buffer.alloc(6)), xlsNumber(0, 0, 1)];
    for (let link = 0; link < 100; link++) cells.push(xlsRecord(hyperlinks, everywhere));
    expect(await rowsOf([...cells, xlsRecord(0x0208, Buffer.alloc(16)), xlsNumber(1, 0, 2)])).toHaveLength(2);
  });

  test('a text in 100,000 parts', async () => {
    const part = more(Buffer.from([0, 0x41]));
    const shared = [texts(uint16(65_535), Buffer.from([0])), ...Array<Buffer>(100_000).fill(part)];
    expect(await refusal(reader, xlsOf([xlsSharedText(0, 0, 0)], { shared }))).toMatchObject({ code: 'cell_too_long' });
  });

  test('one long text in thousands of cells', async () => {
    const long = [texts(uint16(8_000), Buffer.from([0]), Buffer.alloc(8_000, 'x'))];
    const cells = Array.from({ length: 3_000 }, (_, at) => xlsSharedText(Math.floor(at / 10), at % 10, 0));
    const limits = { textChars: 8_000_000 };
    expect(await refusal(reader, xlsOf(cells, { shared: long }), { limits })).toMatchObject({
      code: 'expands_too_much',
    });
  });

  // In small steps, because a thread that allocates much at once can crash its process.
  test('texts over the memory limit end their thread, and nothing else', async () => {
    const small = new SheetReader(1, 20);
    const text = sharedText('x'.repeat(50), 0);
    const shared = [texts(), ...Array<Buffer>(3_000).fill(more(Buffer.concat(Array<Buffer>(100).fill(text))))];
    expect(await refusal(small, xlsOf([], { shared }))).toMatchObject({ code: 'expands_too_much' });
    expect((await readAll(small, xlsOf([xlsNumber(0, 0, 1)]))).rows).toHaveLength(1);
    await small.close();
  }, 60_000); // biome-ignore format: short
});

describe('rejected', () => {
  const one = xlsNumber(0, 0, 1);
  test.each<[string, () => Buffer, string]>([
    ['a password', () => xlsOf([one], { shared: [xlsRecord(record.protected, Buffer.alloc(54))] }), 'password_protected'],
    ['a password, around an xlsx', () => container({ EncryptedPackage: Buffer.alloc(9_000), EncryptionInfo: Buffer.alloc(200) }), 'password_protected'],
    ['macros', () => xlsOf([one], { files: { '_VBA_PROJECT_CUR/VBA/dir': Buffer.alloc(9) } }), 'macros'],
    ['a sheet of macros', () => xlsOf([one], { kind: 1 }), 'macros'],
    ['Excel 95', () => xlsOf([one], { version: 0x0500 }), 'legacy_workbook'],
    ['Excel 4', () => container({ Book: Buffer.from([0x09, 0x04, 6, 0, 0, 4, 0, 1, 0, 0]) }), 'legacy_workbook'],
    ['what is no record', () => container({ Workbook: Buffer.alloc(9_000) }), 'damaged'],
    ['a text document', () => container({ WordDocument: Buffer.alloc(9_000) }), 'not_a_workbook'],
    ['a workbook within another document only', () => container({ 'MBD0001/Workbook': Buffer.alloc(9_000), Contents: Buffer.alloc(9) }), 'not_a_workbook'],
    ['no sheet but a chart', () => xlsOf([one], { kind: 2 }), 'no_sheet'],
    ['no records', () => container({ Workbook: Buffer.alloc(0) }), 'damaged'],
    ['a text that is not there', () => xlsOf([xlsSharedText(0, 0, 3)]), 'damaged'],
    ['a cell that ends too early', () => xlsOf([xlsRecord(record.number, uint16(1))]), 'damaged'],
    ['a number that ends too early', () => xlsOf([xlsRecord(record.number, cellPosition(0, 0), uint16(1))]), 'damaged'],
    ['a formula that ends too early', () => xlsOf([xlsRecord(record.formula, cellPosition(0, 0), double(1))]), 'damaged'],
    ['a number of numbers that is wrong', () => xlsOf([xlsRecord(record.numbers, cellPosition(0, 0), uint32(0), uint16(9))]), 'damaged'],
    ['a sheet without an end', () => container({ Workbook: xlsStream([one]).subarray(0, -4) }), 'damaged'],
    ['a sheet that is elsewhere', () => container({ Workbook: xlsStream([]).subarray(0, -28) }), 'damaged'],
    ['501 columns', () => xlsOf([xlsNumber(8, 500, 1)]), 'too_many_columns'],
  ])('%s', async (_, make, code) => {
    expect(await refusal(reader, make())).toMatchObject({ code });
    expect((await readAll(reader, xlsOf([one]))).rows).toHaveLength(1); // the thread still works
  }); // biome-ignore format: a table
});

test('reports hidden rows and merged cells after reading', async () => {
  const row = (at: number, flags: number) => {
    const content = Buffer.alloc(16);
    content.writeUInt16LE(at, 0);
    content[12] = flags;
    return xlsRecord(record.row, content);
  };
  const merged = xlsRecord(record.merged, ...[1, 0, 1, 3, 3].map(uint16));
  const cells = [row(0, 0), row(1, 0x20), xlsNumber(0, 3, 1), xlsNumber(1, 0, 2), merged];
  await using table = await reader.open(xlsOf(cells));
  expect(table.marks).toEqual({ merged: [], hidden: [] });
  for await (const _ of table.rows);
  expect(table.marks).toEqual({ merged: [{ column: 3, first: 1, last: 2 }], hidden: [2] });
});
