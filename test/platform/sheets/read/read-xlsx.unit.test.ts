import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as XLSX from 'xlsx';
import { SheetReader } from '../../../../src/platform/sheets/reader.ts';
import { listed, readAll, refusal, workbook, workbookParts, zipped } from '../workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const one = '<row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row>';

describe('a workbook of another program', () => {
  test.each([true, false])('reads as it was written, with shared strings: %s', async (bookSST) => {
    const sheet = XLSX.utils.aoa_to_sheet([
      ['Name', 'Salary', 'Hire date', 'Active', 'Code'],
      ['João <Silva> & "co"', 1234.56, new Date(Date.UTC(2026, 2, 2)), true, '007'],
      [],
      ['line\nbreak', -1, new Date(Date.UTC(1999, 11, 31)), false, ' spaces '],
    ], { UTC: true }); // biome-ignore format: rows
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, sheet, 'People');
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['other']]), 'Other');
    const bytes: Buffer = XLSX.write(book, { type: 'buffer', bookType: 'xlsx', bookSST, compression: true });
    const { info, rows } = await readAll(reader, bytes);
    expect(info).toMatchObject({ format: 'xlsx', sheet: 'People', sheets: ['People', 'Other'] });
    expect(rows).toEqual([
      { row: 1, cells: ['Name', 'Salary', 'Hire date', 'Active', 'Code'] },
      { row: 2, cells: ['João <Silva> & "co"', 1234.56, '2026-03-02', true, '007'] },
      { row: 4, cells: ['line\nbreak', -1, '1999-12-31', false, ' spaces '] },
    ]);
    expect((await readAll(reader, bytes, { sheet: 'Other' })).rows).toEqual([{ row: 1, cells: ['other'] }]);
    expect(await refusal(reader, bytes, { sheet: 'None' })).toMatchObject({ code: 'no_sheet' });
  });

  test('can be read from a path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sheets-'));
    await writeFile(join(folder, 'people'), await workbook(one));
    expect((await readAll(reader, join(folder, 'people'))).rows).toEqual([{ row: 1, cells: ['x'] }]);
    await rm(folder, { recursive: true });
  });
});

describe('cells', () => {
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy;@"/><numFmt numFmtId="171" formatCode="00000"/>' +
    '<numFmt numFmtId="172" formatCode="[Red]0.00"/><numFmt numFmtId="173" formatCode="&quot;day&quot; 0"/><numFmt numFmtId="174" formatCode="(00) 0000\\-0000"/>' +
    '<numFmt numFmtId="175" formatCode="&quot;EMP-&quot;0000"/><numFmt numFmtId="176" formatCode="\\M000"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="170"/>' +
    '<xf numFmtId="171"/><xf numFmtId="172"/><xf numFmtId="173"/><xf numFmtId="174"/><xf numFmtId="175"/><xf numFmtId="176"/></cellXfs></styleSheet>';

  async function cellOf(xml: string, more = {}) {
    const bytes = await workbook(`<row r="1">${xml}</row>`, { 'xl/styles.xml': styles, ...more });
    const [row] = (await readAll(reader, bytes)).rows;
    return row?.problems ? row.problems[0]!.code : (row?.cells[0] ?? null);
  }

  test.each([
    ['a number', '<c><v>12.5</v></c>', 12.5],
    ['a number in its 17 digits', '<c><v>434.99999999999994</v></c>', 435],
    ['a number with an exponent', '<c><v>5.511912345678E12</v></c>', 5_511_912_345_678],
    ['a day', '<c s="1"><v>46083</v></c>', '2026-03-02'],
    ['a day in a format of its own', '<c s="3"><v>46083</v></c>', '2026-03-02'],
    ['a day and a time', '<c s="2"><v>46083.5</v></c>', '2026-03-02T12:00:00'],
    ['a time', '<c s="2"><v>0.25</v></c>', '06:00:00'],
    ['the first day of 1900', '<c s="1"><v>1</v></c>', '1900-01-01'],
    ['the last day before the one that never was', '<c s="1"><v>59</v></c>', '1900-02-28'],
    ['the day that never was', '<c s="1"><v>60</v></c>', 'date_out_of_range'],
    ['the day after', '<c s="1"><v>61</v></c>', '1900-03-01'],
    ['a day before 1900', '<c s="1"><v>-1</v></c>', 'date_out_of_range'],
    ['a day after the last', '<c s="1"><v>2958466</v></c>', 'date_out_of_range'],
    ['a day as text', '<c t="d"><v>2026-03-02T00:00:00</v></c>', '2026-03-02'],
    ['leading zeros of a format', '<c s="4"><v>123</v></c>', '00123'],
    ['letters before the leading zeros of a format', '<c s="8"><v>12</v></c>', 'EMP-0012'],
    ['a letter before them', '<c s="9"><v>1234</v></c>', 'M1234'],
    ['a phone number of a format', '<c s="7"><v>1191234567</v></c>', '(11) 9123-4567'],
    ['a color and a decimal format', '<c s="5"><v>1.5</v></c>', 1.5],
    ['a word in a format', '<c s="6"><v>3</v></c>', 3],
    ['yes', '<c t="b"><v>1</v></c>', true],
    ['a formula', '<c><f>1+1</f><v>2</v></c>', 'formula'],
    ['a formula that gives text', '<c t="str"><f>A2</f><v>x</v></c>', 'formula'],
    ['an error', '<c t="e"><v>#N/A</v></c>', 'cell_error'],
    ['a style alone', '<c s="1"/>', null],
    ['an empty text', '<c t="inlineStr"><is><t/></is></c>', null],
    ['runs of text, without how they are said', '<c t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> b</t></r><rPh><t>c</t></rPh></is></c>', 'a b'],
    ['escapes', '<c t="inlineStr"><is><t>a_x000D_&#10;&amp;amp;<![CDATA[<b>]]></t></is></c>', 'a\r\n&amp;<b>'],
    ['a neutralised text', '<c t="inlineStr"><is><t>\'=1</t></is></c>', '=1'],
    ['a prefix of names', '<x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c>', 'a'],
  ])('reads %s', async (_name, xml, value) => {
    expect(await cellOf(xml)).toBe(value);
  }); // biome-ignore format: a table

  test('dates counted from 1904', async () => {
    const parts = workbookParts('');
    const book = String(parts['xl/workbook.xml']).replace('<sheets>', '<workbookPr date1904="1"/><sheets>');
    expect(await cellOf('<c s="1"><v>0</v></c>', { 'xl/workbook.xml': book })).toBe('1904-01-01');
  });

  test('problems are reported with position and text, and the rest of the row is read', async () => {
    const bytes = await workbook(
      '<row><c><v>1</v></c><c t="str"><f>A1&amp;"x"</f><v>1x</v></c><c t="e"><v>#REF!</v></c></row>',
    );
    expect((await readAll(reader, bytes)).rows).toEqual([
      {
        row: 1,
        cells: [1],
        problems: [
          { column: 1, code: 'formula', text: '1x', value: '1x' },
          { column: 2, code: 'cell_error', text: '#REF!' },
        ],
      },
    ]);
  });

  test('gaps are empty, and positions are kept', async () => {
    const bytes = await workbook('<row r="3"><c r="B3"><v>1</v></c><c r="AA3"><v>2</v></c></row><row r="9"><c><v>3</v></c></row>');
    const { rows } = await readAll(reader, bytes);
    expect(rows.map(({ row, cells }) => [row, cells.length, cells[1], cells[26]])).toEqual([[3, 27, 1, 2], [9, 1, undefined, undefined]]);
  }); // biome-ignore format: short
});

describe('rejected', () => {
  const bomb = () => workbook(`${one}${' '.repeat(5_000_000)}`);
  const cases: [string, () => Promise<Buffer>, string][] = [
    ['half a workbook', async () => (await workbook(one)).subarray(0, 700), 'damaged'],
    ['a zip that is no workbook', () => zipped({ 'a.txt': 'x' }), 'not_a_workbook'],
    ['a part that expands a thousand times', bomb, 'expands_too_much'],
    ['macros', () => workbook(one, { 'xl/vbaProject.bin': 'x' }), 'macros'],
    ['the type of a workbook with macros', () => workbook(one, { '[Content_Types].xml': '<Types><Override ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>' }), 'macros'],
    ['a main part that is gone', () => workbook('', { '_rels/.rels': '<R><Relationship Type="x/officeDocument" Target="xl/book.xml"/></R>' }), 'not_a_workbook'],
    ['a part that leads to nowhere', () => workbook(one, { 'xl/_rels/workbook.xml.rels': '<R><Relationship Id="r1" Type="x/worksheet" Target="http://[x"/></R>' }), 'damaged'],
    ['one long text in thousands of cells', () => workbook(`<row>${'<c t="s"><v>0</v></c>'.repeat(13)}</row>`.repeat(12_000), { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>` }), 'expands_too_much'],
    ['far too long a row', () => workbook(`<row>${'<c t="s"><v>0</v></c>'.repeat(40)}</row>`, { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>` }), 'cell_too_long'],
    ['a document type', () => workbook('', { 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY a "b">]><workbook/>' }), 'damaged'],
    ['XML that ends too early', () => workbook('', { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="1">' }), 'damaged'],
    ['XML that is not well-formed', () => workbook('</row></sheetData></worksheet></a>'), 'damaged'],
    ['a text that is not there', () => workbook('<row><c t="s"><v>7</v></c></row>'), 'damaged'],
    ['rows out of order', () => workbook('<row r="2"/><row r="1"/>'), 'damaged'],
    ['no sheet', () => workbook('', { 'xl/workbook.xml': '<workbook/>' }), 'no_sheet'],
    ['10,000 columns', () => workbook('<row r="1"><c r="NTP1"><v>1</v></c></row>'), 'too_many_columns'],
    ['a cell of 40,000 characters', () => workbook(`<row r="1"><c t="inlineStr"><is><t>${'xy'.repeat(20_000)}</t></is></c></row>`), 'cell_too_long'],
  ]; // biome-ignore format: a table

  test.each(cases)('%s', async (_name, make, code) => {
    expect(await refusal(reader, await make())).toMatchObject({ code });
    expect((await readAll(reader, await workbook(one))).rows).toHaveLength(1); // the thread still works
  });

  test('a number format of a million characters costs no time', async () => {
    const code = '['.repeat(1_000_000);
    const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs></styleSheet>`;
    const file = await workbook('<row><c s="0"><v>7</v></c></row>', { 'xl/styles.xml': styles });
    expect((await readAll(reader, file, { limits: { silentMs: 10_000 } })).rows).toEqual([{ row: 1, cells: [7] }]);
  });

  test('an encrypted part', async () => {
    const bytes = await workbook(one);
    const list = bytes.indexOf(Buffer.from('504b0102', 'hex'));
    bytes[list + 8]! |= 1;
    expect(await refusal(reader, bytes)).toMatchObject({ code: 'password_protected' });
  });

  test('a part larger than declared', async () => {
    const bytes = await workbook(one + ' '.repeat(100_000));
    for (const at of listed(bytes)) {
      if (bytes.toString('latin1', at + 46, at + 70) === 'xl/worksheets/sheet1.xml') bytes.writeUInt32LE(500, at + 24);
    }
    expect(await refusal(reader, bytes)).toMatchObject({ code: 'damaged' });
  });

  test('a corrupt part', async () => {
    const bytes = await workbook(one);
    for (const at of listed(bytes)) bytes.writeUInt32LE(7, at + 16);
    expect(await refusal(reader, bytes)).toMatchObject({ code: 'damaged' });
  });

  test('one row with content more than the limit', async () => {
    const row = (number: number) => `<row r="${number}"><c><v>1</v></c></row>`;
    const rows = `${row(1)}<row r="2"/>${row(3)}`;
    const limits = { rows: 2 };
    expect((await readAll(reader, await workbook(rows), { limits })).rows).toHaveLength(2);
    expect(await refusal(reader, await workbook(rows + row(4)), { limits })).toMatchObject({ code: 'too_many_rows' });
  });
});

describe('threads', () => {
  const count = 5_000;
  const many = () => workbook(Array.from({ length: count }, (_, at) => `<row><c><v>${at}</v></c></row>`).join(''));
  /** All strings are read before the first row. */
  const manyTexts = () => {
    const texts = Array.from({ length: 300_000 }, (_, at) => `<si><t>text number ${at}</t></si>`).join('');
    return workbook(one, { 'xl/sharedStrings.xml': `<sst>${texts}</sst>` });
  };

  test('abandoning a table frees its thread', async () => {
    const table = await reader.open(await many());
    for await (const row of table.rows) if (row.row > 700) break;
    expect((await readAll(reader, await workbook(one))).rows).toHaveLength(1);
  });

  test('closing an unread table frees its thread', async () => {
    const table = await reader.open(await many());
    table.close();
    expect((await readAll(reader, await workbook(one))).rows).toHaveLength(1);
  });

  test('an abort signal ends reading, started or not', async () => {
    const stop = new AbortController();
    const table = await reader.open(await many(), { signal: stop.signal });
    const waiting = reader.open(await many(), { signal: stop.signal });
    stop.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    await expect(async () => {
      for await (const _ of table.rows);
    }).rejects.toThrow('cancelled');
    expect((await readAll(reader, await workbook(one))).rows).toHaveLength(1);
  });

  test('returns all rows in order', async () => {
    const { rows } = await readAll(reader, await many());
    expect(rows).toHaveLength(count);
    expect(rows.every(({ row, cells }, at) => row === at + 1 && cells[0] === at)).toBe(true);
  });

  test('a file over the time limit ends with its thread', async () => {
    expect(await refusal(reader, await manyTexts(), { limits: { silentMs: 5 } })).toMatchObject({
      code: 'takes_too_long',
    });
    expect((await readAll(reader, await workbook(one))).rows).toHaveLength(1);
  });

  test('a file over the memory limit ends its thread, and nothing else', async () => {
    const small = new SheetReader(1, 20);
    expect(await refusal(small, await manyTexts())).toMatchObject({ code: 'expands_too_much' });
    expect((await readAll(small, await workbook(one))).rows).toHaveLength(1);
    await small.close();
  });
});
