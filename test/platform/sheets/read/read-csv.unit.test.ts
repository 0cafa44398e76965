import { readCsv } from '../../../../src/platform/sheets/csv/read-csv.ts';
import { Effort } from '../../../../src/platform/sheets/model/time-limit.ts';
import { readLimits } from '../../../../src/platform/sheets/model/types.ts';
import { SheetReader } from '../../../../src/platform/sheets/reader.ts';
import { readAll, refusal } from '../workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const text = 'Nome;Telefone\r\nJoão;0011\r\n';
const utf16be = Buffer.from(text, 'utf16le').swap16();
const people = [
  { row: 1, cells: ['Nome', 'Telefone'] },
  { row: 2, cells: ['João', '0011'] },
];

describe('encodings', () => {
  test.each([
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`), 'utf-8'],
    ['UTF-16 little-endian', Buffer.from(`\uFEFF${text}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 little-endian without a mark', Buffer.from(text, 'utf16le'), 'utf-16le'],
    ['UTF-16 big-endian', Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be]), 'utf-16be'],
    ['UTF-16 big-endian without a mark', utf16be, 'utf-16be'],
    ['8 bits', Buffer.from(text, 'latin1'), 'windows-1252'],
  ])('reads %s', async (_name, bytes, encoding) => {
    const { info, rows } = await readAll(reader, bytes);
    expect(info).toEqual({ format: 'csv', encoding, delimiter: ';' });
    expect(rows).toEqual(people);
  });

  test('a character can span two chunks', async () => {
    // In both encodings, the first chunk ends within the second cell, inside a character of two code units.
    const cells = ['é'.repeat(20_000), '👩'.repeat(15_000)];
    const long = `${cells.join()}\n`.repeat(20);
    for (const bytes of [Buffer.from(`\n${long}`), Buffer.from(`\uFEFF${long}`, 'utf16le')]) {
      const { rows } = await readAll(reader, bytes);
      expect(rows.map((row) => row.cells.join() === cells.join())).toEqual(Array(20).fill(true));
    }
  });
});

describe('rows', () => {
  test.each([
    ['commas', 'a,b\n1,2', ','],
    ['semicolons', 'a;b\n1;2', ';'],
    ['tabs', 'a\tb\n1\t2', '\t'],
    ['pipes', 'a|b\n1|2', '|'],
    ['ends of lines of old Macs', 'a,b\r1,2\r', ','],
    ['every cell in quotes', '"a","b"\r\n"1","2"', ','],
    ['a declared delimiter', 'sep=|\r\na|b\r\n1|2', '|'],
    ['delimiters inside quotes', '"a,,,";b\n1;2', ';'],
  ])('can be separated by %s', async (_name, csv, delimiter) => {
    const { info, rows } = await readAll(reader, Buffer.from(csv));
    expect(info.delimiter).toBe(delimiter);
    expect(rows[1]).toEqual({ row: 2, cells: ['1', '2'] });
  });

  test('can have quoted line breaks, quotes, blank lines, and different lengths', async () => {
    const csv = 'a,b,c\r\n"x\r\ny","say ""hi""",\r\n\r\n,,\r\n" z ",,0007\n';
    const { rows } = await readAll(reader, Buffer.from(csv));
    expect(rows).toEqual([
      { row: 1, cells: ['a', 'b', 'c'] },
      { row: 2, cells: ['x\r\ny', 'say "hi"'] },
      { row: 5, cells: [' z ', null, '0007'] },
    ]);
  });

  test.each<[string, string, (string | null)[]]>([
    ['spaces around cells', ' a ,\tb\u00a0, ,c', ['a', 'b', null, 'c']],
    ['spaces around quotes', '"x" , "y, z" ,"  w  "', ['x', 'y, z', '  w  ']],
    ['quotes that a cell does not begin with', 'Bob "Bobby" Smith,5" pipe,x"', ['Bob "Bobby" Smith', '5" pipe', 'x"']],
    ['doubled quotes', '"""x""","a ""b"""', ['"x"', 'a "b"']],
    ['an empty cell between tabs', 'a\t\tb', ['a', null, 'b']],
    ['a zero byte', 'a\0b,c', ['a\0b', 'c']],
  ])('with %s are parsed', async (_name, line, cells) => {
    const { rows } = await readAll(reader, Buffer.from(`${line}\n`));
    expect(rows).toEqual([{ row: 1, cells }]);
  });

  test('are missing in a file of white space', async () => {
    expect((await readAll(reader, Buffer.from('\r\n\r\n'))).rows).toEqual([]);
  });
});

test('rows of another length than the first cost no error each', async () => {
  const stackTraces = jest.spyOn(Error, 'captureStackTrace');
  const { groups } = await readCsv(
    Buffer.from(`a,b\n\n${'1,2\n\n'.repeat(1_000)}`),
    'utf-8',
    readLimits,
    new Effort(readLimits),
  );
  let rows = 0;
  for await (const group of groups) rows += group.length;
  expect(rows).toBe(1_001);
  expect(stackTraces.mock.calls.length).toBeLessThan(100);
});

describe('rejected', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'empty_file'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'not_a_workbook'],
    ['a sheet of Excel 4', Buffer.from('09040600000010000000', 'hex'), 'legacy_workbook'],
    ['a web page', Buffer.from('<html><table><tr><td>1</td></tr></table></html>'), 'not_a_workbook'],
    ['a quote that is not closed', Buffer.from('a,b\n"1,2\n3,4\n'), 'damaged'],
    ['a line of 5 MB', Buffer.alloc(5_000_000, 'x'), 'cell_too_long'],
    ['501 columns', Buffer.from(`${'x,'.repeat(500)}x\n`), 'too_many_columns'],
  ])('%s', async (_name, bytes, code) => {
    expect(await refusal(reader, bytes)).toMatchObject({ code });
  });

  test.each([
    ['quotes within quotes', 'a,b\n1,"Smith, "Bob", Dr",x\n', { row: 2, column: 'B' }],
    ['text behind a quoted cell', 'a,b\n1,2\n"Bob" Smith,x\n', { row: 3, column: 'A' }],
    ['the same with a space', 'a,b\n"Bob" "Bobby",x\n', { row: 2, column: 'A' }],
  ])('%s, with the cell', async (_name, text, details) => {
    expect(await refusal(reader, Buffer.from(text))).toMatchObject({ code: 'damaged', details });
  });

  test('more rows than allowed, with the limit', async () => {
    const bytes = Buffer.from('x\n'.repeat(12));
    expect(await refusal(reader, bytes, { limits: { rows: 10 } })).toMatchObject({
      code: 'too_many_rows',
      details: { limit: 10 },
    });
  });

  test('a file that is too large, before reading it', async () => {
    expect(await refusal(reader, Buffer.alloc(11), { limits: { fileBytes: 10 } })).toMatchObject({
      code: 'file_too_large',
    });
  });
});
