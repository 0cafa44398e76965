/** Deviations of real programs from the specifications: read as intended, or rejected with the position. */
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { record, xlsRecord } from '../../../src/platform/sheets/xls/xls-records.ts';
import { textBytes, uint32, record as xlsb, xlsbRecord } from '../../../src/platform/sheets/xls/xlsb-records.ts';
import { encoded } from './older-encodings.ts';
import {
  container,
  odsOf,
  odsTable,
  sharedText,
  uint16,
  xlsbOf,
  xlsbRow,
  xlsNumber,
  xlsOf,
  xlsSharedText,
  xlsStream,
} from './other-workbooks.ts';
import { type Parts, readAll, refusal, workbook, workbookParts, zipped } from './workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;

async function cellsOf(sheetData: string, more: Parts = {}) {
  return (await readAll(reader, await workbook(sheetData, more))).rows.map(({ cells }) => cells);
}

describe('the workbook', () => {
  const from1904 = (more: string) =>
    String(workbookParts('')['xl/workbook.xml'])
      .replace('<sheets>', '<workbookPr date1904="1"/><sheets>')
      .replace('</workbook>', `${more}</workbook>`);
  const styles = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>';

  test.each(['x14', 'x15'])('counts from 1904 regardless of %s extensions', async (prefix) => {
    const book = from1904(`<extLst><ext><${prefix}:workbookPr defaultImageDpi="32767"/></ext></extLst>`);
    const parts = { 'xl/workbook.xml': book, 'xl/styles.xml': styles };
    expect(await cellsOf(row('<c s="0"><v>0</v></c>'), parts)).toEqual([['1904-01-01']]);
  });

  test('a sheet name with quotes hides no sheet', async () => {
    const book = String(workbookParts('')['xl/workbook.xml']).replace('name="People"', `name="x state='hidden'"`);
    const { info } = await readAll(reader, await workbook(row(text('x')), { 'xl/workbook.xml': book }));
    expect(info.sheets).toEqual(["x state='hidden'"]);
  });

  test.each([
    ['a space', 'worksheets/my sheet.xml', 'xl/worksheets/my sheet.xml'],
    ['an escaped space', 'worksheets/my%20sheet.xml', 'xl/worksheets/my sheet.xml'],
    ['an escape in the archive', 'worksheets/my sheet.xml', 'xl/worksheets/my%20sheet.xml'],
    ['an escaped letter', 'worksheets/%73heet1.xml', 'xl/worksheets/sheet1.xml'],
    ['a backslash', 'worksheets\\sheet1.xml', 'xl/worksheets/sheet1.xml'],
    ['a slash in front', '/xl/worksheets/sheet1.xml', 'xl/worksheets/sheet1.xml'],
    ['dots', './../xl/worksheets/sheet1.xml', 'xl/worksheets/sheet1.xml'],
    ['other capitals', 'Worksheets/Sheet1.xml', 'xl/worksheets/sheet1.xml'],
    ['a percent sign', 'worksheets/100%.xml', 'xl/worksheets/100%.xml'],
  ])('accepts a path with %s', async (_name, target, path) => {
    const { 'xl/worksheets/sheet1.xml': sheet, ...parts } = workbookParts(row(text('x')));
    const relations = String(parts['xl/_rels/workbook.xml.rels']).replace('worksheets/sheet1.xml', target);
    const file = await zipped({ ...parts, 'xl/_rels/workbook.xml.rels': relations, [path]: sheet! });
    expect((await readAll(reader, file)).rows).toEqual([{ row: 1, cells: ['x'] }]);
  });

  test('ignores an invalid target of an unneeded relation', async () => {
    const bad = '<Relationship Id="r9" Type="x/hyperlink" Target="http://[bad"/></Relationships>';
    const relations = String(workbookParts('')['xl/_rels/workbook.xml.rels']).replace('</Relationships>', bad);
    expect(await cellsOf(row(text('x')), { 'xl/_rels/workbook.xml.rels': relations })).toEqual([['x']]);
  });

  test.each([1, 1_000, 80_000])('accepts %d bytes after the archive', async (bytes) => {
    const file = Buffer.concat([await workbook(row(text('x'))), Buffer.alloc(bytes, 'PK\x05\x06 ')]);
    expect((await readAll(reader, file)).rows).toEqual([{ row: 1, cells: ['x'] }]);
  });

  test('a dialog sheet isn’t a macro', async () => {
    expect(await cellsOf(row(text('x')), { 'xl/dialogsheets/sheet1.xml': '<dialogsheet/>' })).toEqual([['x']]);
  });

  test('reports the cached result of a formula, wherever its text is', async () => {
    const texts = '<sst><si><t>a</t></si><si><t>b</t></si></sst>';
    const inline = '<c t="inlineStr"><f>A1</f><is><t>c</t></is></c>';
    const file = await workbook(row('<c t="s"><f>A1</f><v>1</v></c>', inline, '<c t="str"><f>A1</f><v>d</v></c>'), {
      'xl/sharedStrings.xml': texts,
    });
    const [found] = (await readAll(reader, file)).rows;
    expect(found!.problems!.map((problem) => problem.text)).toEqual(['b', 'c', 'd']);
  });

  test('ignores leftover external links, but a formula with one is an error of its cell', async () => {
    const links = { 'xl/externalLinks/externalLink1.xml': '<externalLink/>' };
    expect(await cellsOf(row(text('x')), links)).toEqual([['x']]);
    const file = await workbook(row(text('x'), '<c><f>[1]Sheet1!A1</f><v>7</v></c>'), links);
    expect((await readAll(reader, file)).rows).toEqual([
      { row: 1, cells: ['x'], problems: [{ column: 1, code: 'formula', text: '7', value: 7 }] },
    ]);
  });
});

describe('XML', () => {
  const sheet = (value: string, head = '') =>
    `${head}<worksheet><sheetData>${row(text(value), text('y'))}</sheetData></worksheet>`;
  const read = async (bytes: Buffer | string) => (await cellsOf('', { 'xl/worksheets/sheet1.xml': bytes }))[0];
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
  const wide = (xml: string) => Buffer.from(xml, 'utf16le');

  test.each<[string, Buffer]>([
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${sheet('Łódź')}`)],
    ['UTF-16 with a mark', wide(`\uFEFF${sheet('Łódź')}`)],
    ['UTF-16 without a mark', wide(sheet('Łódź', declared('UTF-16')))],
    ['UTF-16 the other way round', wide(sheet('Łódź', declared('UTF-16'))).swap16()],
    ['UTF-8 that calls itself UTF-16', Buffer.from(sheet('Łódź', declared('utf-16')))],
    ['windows-1250', encoded(sheet('Łódź', declared('windows-1250')), 'windows-1250')],
  ])('in %s', async (_name, bytes) => {
    expect(await read(bytes)).toEqual(['Łódź', 'y']);
  });

  test('in windows-1251, and in Latin-1 that could be UTF-8', async () => {
    expect(await read(encoded(sheet('Юрий', declared('windows-1251')), 'windows-1251'))).toEqual(['Юрий', 'y']);
    expect(await read(Buffer.from(sheet('Ã©', declared('ISO-8859-1')), 'latin1'))).toEqual(['Ã©', 'y']);
  });

  test('in an unknown encoding is rejected', async () => {
    const file = await workbook('', { 'xl/worksheets/sheet1.xml': sheet('x', declared('x-unknown')) });
    expect(await refusal(reader, file)).toMatchObject({ code: 'damaged' });
  });

  test('normalizes line endings except escaped ones', async () => {
    expect(await read(sheet('a\r\nb\rc\nd&#13;&#10;e_x000D_\nf'))).toEqual(['a\nb\nc\nd\r\ne\r\nf', 'y']);
    expect(await read(sheet('<![CDATA[a\r\nb]]>'))).toEqual(['a\nb', 'y']);
  });

  test.each(['&nbsp;', '&Nbsp;', '&frac12;', 'R & D', '&', '&;', '&#xZ;', '&#x110000;'])(
    'rejects the invalid reference %s',
    async (value) => {
      const file = await workbook('', { 'xl/worksheets/sheet1.xml': sheet(value) });
      expect(await refusal(reader, file)).toMatchObject({ code: 'damaged' });
    },
  );

  test('extensions of a cell aren’t part of its value', async () => {
    const extended = '<c><v>1</v><extLst><ext><x:v>2</x:v><x:f>A1</x:f></ext></extLst></c>';
    expect(await cellsOf(row(extended, text('y')))).toEqual([[1, 'y']]);
  });
});

describe('cell positions', () => {
  test.each([
    ['small letters', '<row r="2"><c r="b2"><v>1</v></c></row>'],
    ['dollars', '<row r="2"><c r="$B$2"><v>1</v></c></row>'],
    ['a row without a number', '<row><c/></row><row><c r="B2"><v>1</v></c></row>'],
  ])('with %s are accepted', async (_name, rows) => {
    expect((await readAll(reader, await workbook(rows))).rows).toEqual([{ row: 2, cells: [null, 1] }]);
  });

  test.each([
    ['a cell of another row', '<row r="2"><c r="B99"><v>1</v></c></row>', /row 2 has a cell “B99”/],
    ['a cell without a row', '<row r="2"><c r="B"><v>1</v></c></row>', /“B”/],
    ['a cell without a column', '<row r="2"><c r="2"><v>1</v></c></row>', /“2”/],
    ['a cell with signs', '<row r="2"><c r="$$B2"><v>1</v></c></row>', /B2/],
    ['a hexadecimal row', '<row r="0x10"><c><v>1</v></c></row>', /“0x10”/],
    ['an exponent', '<row r="1e3"><c><v>1</v></c></row>', /“1e3”/],
    ['half a row', '<row r="1.5"><c><v>1</v></c></row>', /“1.5”/],
    ['row 0', '<row r="0"><c><v>1</v></c></row>', /row 0/],
    ['a row beyond the last', '<row r="1048577"><c><v>1</v></c></row>', /beyond the last/],
  ])('%s is rejected', async (_name, rows, message) => {
    expect(await refusal(reader, await workbook(rows))).toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(message),
    });
  });
});

describe('values', () => {
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0.0 %"/><numFmt numFmtId="171" formatCode="0&quot;%&quot;"/></numFmts>' +
    '<cellXfs><xf numFmtId="9"/><xf numFmtId="10"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>';

  test.each([
    ['<c s="0"><v>0.5</v></c>', '50%'],
    ['<c s="1"><v>0.125</v></c>', '12.5%'],
    ['<c s="2"><v>-1.1</v></c>', '-110%'],
    ['<c s="0"><v>0.07</v></c>', '7%'],
    ['<c s="3"><v>50</v></c>', 50],
  ])('%s shows %s', async (cell, value) => {
    expect(await cellsOf(row(cell), { 'xl/styles.xml': styles })).toEqual([[value]]);
  });

  test('ignores cells with only a format, up to a limit', async () => {
    const file = await workbook(row(text('x')) + row('<c s="0"/>'.repeat(40)).repeat(3));
    expect((await readAll(reader, file, { limits: { empty_cells: 120 } })).rows).toEqual([{ row: 1, cells: ['x'] }]);
    expect(await refusal(reader, file, { limits: { empty_cells: 119 } })).toMatchObject({
      code: 'expands_too_much',
      message: expect.stringContaining('empty cells'),
    });
  });

  test('accepts the maximum cell length, and rejects one more', async () => {
    const longest = 'x'.repeat(32_767);
    expect(await cellsOf(row(text(longest), text('y')))).toEqual([[longest, 'y']]);
    expect((await readAll(reader, Buffer.from(`${longest},y\n`))).rows[0]!.cells).toEqual([longest, 'y']);
    expect(await refusal(reader, await workbook(row(text(`${longest}x`))))).toMatchObject({ code: 'cell_too_long' });
  });
});

describe('other workbook formats', () => {
  const value = '<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>';
  const linked = (name: string) =>
    odsTable(value, '', name).replace(
      '<table:table-row',
      '<table:table-source xlink:href="file:///x.ods"/><table:table-row',
    );

  test('ignore leftover links', async () => {
    const one = [{ row: 1, cells: ['x'] }];
    const links = '<table:dde-links><table:dde-link/></table:dde-links>';
    expect((await readAll(reader, await odsOf(odsTable(value) + linked('Copy') + links))).rows).toEqual(one);
    const shared = [xlsRecord(0x01ae, uint16(1), uint16(9), Buffer.from([0]), Buffer.from('other.xls')), sst('x')];
    expect((await readAll(reader, xlsOf([xlsSharedText(0, 0, 0)], { shared }))).rows).toEqual(one);
    const xlsb = xlsbOf([xlsbRow(0), xlsbText(0, 'x')], { 'xl/externalLinks/externalLink1.bin': 'x' });
    expect((await readAll(reader, await xlsb)).rows).toEqual(one);
  });

  test('reject a sheet that is a copy of another file, by name', async () => {
    const file = await odsOf(linked('Copy'));
    expect(await refusal(reader, file)).toMatchObject({ code: 'external_links', details: { names: ['Copy'] } });
  });

  test('ignore bytes after the texts of an xls', async () => {
    const shared = [sst('x', Buffer.from([9, 0, 0]))];
    expect((await readAll(reader, xlsOf([xlsSharedText(0, 0, 0)], { shared }))).rows).toEqual([
      { row: 1, cells: ['x'] },
    ]);
  });

  test('accept an xls text that is split after its length', async () => {
    const head = xlsRecord(record.sharedTexts, uint32(2), uint32(2), uint16(2), Buffer.from([0]));
    const rest = xlsRecord(record.more, Buffer.from([0]), Buffer.from('ab'), sharedText('c'));
    const cells = [xlsSharedText(0, 0, 0), xlsSharedText(0, 1, 1)];
    expect((await readAll(reader, xlsOf(cells, { shared: [head, rest] }))).rows).toEqual([
      { row: 1, cells: ['ab', 'c'] },
    ]);
  });

  test.each(['WORKBOOK', 'workbook'])('accept an xls whose content is named %s', async (name) => {
    const file = container({ [name]: xlsStream([xlsNumber(0, 0, 7)]) });
    expect((await readAll(reader, file)).rows).toEqual([{ row: 1, cells: [7] }]);
  });

  /** A single shared string, followed by these bytes. */
  function sst(only: string, behind = Buffer.alloc(0)): Buffer {
    return xlsRecord(record.sharedTexts, uint32(1), uint32(1), sharedText(only), behind);
  }

  function xlsbText(column: number, written: string): Buffer {
    return xlsbRecord(xlsb.text, uint32(column), uint32(0), textBytes(written));
  }
});
