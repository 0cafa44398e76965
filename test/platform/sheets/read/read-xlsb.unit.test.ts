/** Binary workbooks, record by record. */
import { SheetReader } from '../../../../src/platform/sheets/reader.ts';
import { record, textBytes, uint32, xlsbRecord } from '../../../../src/platform/sheets/xls/xlsb-records.ts';
import { double, uint16, xlsbCell, xlsbOf, xlsbRow } from '../other-workbooks.ts';
import { listed, type Parts, readAll, refusal } from '../workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const rowsOf = async (cells: Buffer[], more?: Parts) => (await readAll(reader, await xlsbOf(cells, more))).rows;
const number = (column: number, value: number) => xlsbCell(record.number, column, double(value));
const text = (column: number, value: string) => xlsbCell(record.text, column, textBytes(value));
const named = (column: number, number: number) => xlsbCell(record.namedText, column, uint32(number));
const shared = (...texts: string[]): Parts => ({
  'xl/sharedStrings.bin': Buffer.concat([
    xlsbRecord(159, uint32(0), uint32(0)),
    ...texts.map((value) => xlsbRecord(record.sharedText, Buffer.from([0]), textBytes(value))),
    xlsbRecord(160),
  ]),
});
const tokens = Buffer.concat([uint16(0), uint32(7), Buffer.from([0x1e, 1, 0, 0x1e, 2, 0, 0x03]), uint32(0)]);
const hyperlinks = 494;

describe('cells', () => {
  test('every record type', async () => {
    const shortNumber = 2;
    const rows = await rowsOf([
      xlsbRow(2),
      number(0, 0.1),
      xlsbCell(shortNumber, 1, uint32(((1234 << 2) | 3) >>> 0)),
      xlsbCell(4, 2, Buffer.from([1])),
      text(3, 'João'),
      named(4, 1),
      xlsbCell(record.richText, 5, Buffer.from([1]), textBytes('rich'), uint32(1), uint16(0), uint16(1)),
      xlsbCell(3, 7, Buffer.from([0x2a])),
      xlsbCell(record.blank, 60),
      xlsbRow(1_048_575),
      number(49, 7),
    ], shared('no', '日本'));
    expect(rows[0]).toEqual({
      row: 3,
      cells: [0.1, 12.34, true, 'João', '日本', 'rich'],
      problems: [{ column: 7, code: 'cell_error', text: '#N/A' }],
    });
    expect([rows[1]!.row, rows[1]!.cells.length, rows[1]!.cells[49]]).toEqual([1_048_576, 50, 7]);
  }); // biome-ignore format: records

  test('cells with an implicit column', async () => {
    const short = (type: number, ...content: Buffer[]) => xlsbRecord(type, uint32(0), ...content);
    const line = [
      short(16, double(1)),
      short(12),
      short(17, textBytes('b')),
      short(18, uint32(0)),
      short(15, Buffer.from([1])),
    ];
    const rows = await rowsOf([xlsbRow(0), ...line, xlsbRow(1), ...line], shared('c'));
    expect(rows.map(({ cells }) => cells)).toEqual([
      [1, null, 'b', 'c', true],
      [1, null, 'b', 'c', true],
    ]);
  });

  test('formulas are reported with their cached results, and not evaluated', async () => {
    const [row] = await rowsOf([
      xlsbRow(0),
      xlsbCell(9, 0, double(3), tokens),
      xlsbCell(8, 1, textBytes('ab'), tokens),
      xlsbCell(10, 2, Buffer.from([1]), tokens),
      xlsbCell(11, 3, Buffer.from([0x17]), tokens),
    ]);
    expect(row!.problems).toEqual([
      { column: 0, code: 'formula', text: '3', value: 3 },
      { column: 1, code: 'formula', text: 'ab', value: 'ab' },
      { column: 2, code: 'formula', text: '1', value: true },
      { column: 3, code: 'cell_error', text: '#REF!' },
    ]);
  });

  test('dates by built-in or custom format', async () => {
    const style = (format: number) => xlsbRecord(record.style, uint16(0), uint16(format), Buffer.alloc(12));
    const styles = Buffer.concat([
      style(0),
      xlsbRecord(record.format, uint16(170), textBytes('dd/mm/yyyy')),
      xlsbRecord(record.beginStyles, uint32(4)),
      ...[0, 14, 57, 170].map(style),
      xlsbRecord(record.endStyles),
    ]);
    const cells = [0, 1, 2, 3, 9].map((at, column) =>
      xlsbRecord(record.number, uint32(column), uint32(at), double(46_083)),
    );
    const [row] = await rowsOf([xlsbRow(0), ...cells], { 'xl/styles.bin': styles });
    expect(row!.cells).toEqual([46_083, '2026-03-02', '2026-03-02', '2026-03-02', 46_083]);
  });

  test('a text of 32,767 characters is accepted, and one more rejected', async () => {
    const long = 'Ł'.repeat(32_767);
    const [row] = await rowsOf([xlsbRow(0), text(0, long), named(1, 0)], shared(long));
    expect(row!.cells).toEqual([long, long]);
    for (const cell of [text(1, `${long}x`), named(1, 0)]) {
      const file = await xlsbOf([xlsbRow(3), cell], shared(`${long}x`));
      expect(await refusal(reader, file)).toMatchObject({ code: 'cell_too_long', details: { row: 4, column: 'B' } });
    }
  });

  test('skips hidden sheets, and ignores charts', async () => {
    const sheet = (state: number, relation: string, name: string) =>
      xlsbRecord(record.sheet, uint32(state), uint32(1), textBytes(relation), textBytes(name));
    const book = [sheet(0, 'r9', 'Chart'), sheet(1, 'r1', 'Hidden'), sheet(2, 'r1', 'Gone'), sheet(0, 'r1', 'Shown')];
    const file = await xlsbOf([xlsbRow(0), number(0, 1)], { 'xl/workbook.bin': Buffer.concat(book) });
    expect((await readAll(reader, file)).info).toMatchObject({ format: 'xlsb', sheet: 'Shown', sheets: ['Shown'] });
    expect((await readAll(reader, file, { sheet: 'Hidden' })).info.sheet).toBe('Hidden');
  });
});

describe('expensive requests are ignored or rejected', () => {
  test('links over all cells', async () => {
    const everywhere = Buffer.concat([uint32(0), uint32(1_048_575), uint32(0), uint32(16_383), Buffer.alloc(20)]);
    const links = Array<Buffer>(100).fill(xlsbRecord(hyperlinks, everywhere));
    expect(await rowsOf([xlsbRow(0), number(0, 1), ...links, xlsbRow(1), number(0, 2)])).toHaveLength(2);
  });

  test('one long text in hundreds of cells', async () => {
    const rows = Array.from({ length: 200 }, (_, row) => [xlsbRow(row), ...[0, 1, 2].map((at) => named(at, 0))]);
    const file = await xlsbOf(rows.flat(), shared('x'.repeat(32_000)));
    const limits = { textChars: 8_000_000 };
    expect(await refusal(reader, file, { limits })).toMatchObject({ code: 'expands_too_much' });
  });

  test('a sheet that is a bomb, with or without a correct declared size', async () => {
    const file = await xlsbOf(Array<Buffer>(600_000).fill(xlsbCell(record.blank, 0)));
    expect(file.length).toBeLessThan(200_000);
    expect(await refusal(reader, file)).toMatchObject({ code: 'expands_too_much' });
    for (const at of listed(file)) {
      if (file.toString('latin1', at + 46).startsWith('xl/worksheets/')) file.writeUInt32LE(3_000_000, at + 24);
    }
    expect(await refusal(reader, file)).toMatchObject({ code: 'damaged' });
  });
});

describe('rejected', () => {
  const one = [xlsbRow(0), number(0, 1)];
  test.each<[string, () => Promise<Buffer>, string]>([
    ['macros', () => xlsbOf(one, { 'xl/vbaProject.bin': 'x' }), 'macros'],
    ['a sheet of macros', () => xlsbOf(one, { 'xl/macrosheets/sheet1.bin': 'x' }), 'macros'],
    ['no sheets', () => xlsbOf(one, { 'xl/workbook.bin': '' }), 'no_sheet'],
    ['a list of sheets that ends too early', () => xlsbOf(one, { 'xl/workbook.bin': xlsbRecord(record.sheet, uint32(0), uint32(0), uint32(99)) }), 'damaged'],
    ['a part of it that leads to nowhere', () => xlsbOf(one, { 'xl/_rels/workbook.bin.rels': '<R><Relationship Id="r1" Type="worksheet" Target="http://[x"/></R>' }), 'damaged'],
    ['a sheet that is missing', () => xlsbOf(one, { 'xl/_rels/workbook.bin.rels': '<R><Relationship Id="r1" Type="worksheet" Target="gone.bin"/></R>' }), 'damaged'],
    ['a record that ends too early', () => xlsbOf([...one, Buffer.from([5, 100])]), 'damaged'],
    ['a record of 200 MB', () => xlsbOf([...one, Buffer.from([5, 0x80, 0x80, 0x80, 0x60])]), 'damaged'],
    ['a cell that ends too early', () => xlsbOf([xlsbRow(0), xlsbRecord(record.number, uint32(0))]), 'damaged'],
    ['a text that continues into the next record', () => xlsbOf([xlsbRow(0), xlsbCell(record.text, 0, uint32(9)), text(1, 'secret')]), 'damaged'],
    ['a number that ends too early', () => xlsbOf([xlsbRow(0), xlsbCell(record.number, 0, uint32(9))]), 'damaged'],
    ['a text that is not there', () => xlsbOf([xlsbRow(0), named(0, 0)]), 'damaged'],
    ['a sheet without an end', () => xlsbOf([], { 'xl/worksheets/sheet1.bin': Buffer.concat([xlsbRecord(record.beginCells), ...one]) }), 'damaged'],
    ['rows out of order', () => xlsbOf([xlsbRow(1), xlsbRow(0)]), 'damaged'],
    ['a row behind the last', () => xlsbOf([xlsbRow(1_048_576)]), 'damaged'],
    ['cells without a row', () => xlsbOf([number(0, 1)]), 'damaged'],
    ['501 columns', () => xlsbOf([xlsbRow(0), number(500, 1)]), 'too_many_columns'],
    ['four thousand million columns', () => xlsbOf([xlsbRow(0), number(0xffff_ffff, 1)]), 'damaged'],
  ])('%s', async (_, make, code) => {
    expect(await refusal(reader, await make())).toMatchObject({ code });
    expect(await rowsOf(one)).toHaveLength(1); // the thread still works
  }); // biome-ignore format: a table
});
