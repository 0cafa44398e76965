/** OpenDocument spreadsheets, element by element. */
import { SheetReader } from '../../../../src/platform/sheets/reader.ts';
import { odsContent, odsOf, odsTable } from '../other-workbooks.ts';
import { listed, readAll, refusal, zipped } from '../workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const rowsOf = async (tables: string, styles = '') => (await readAll(reader, await odsOf(tables, {}, styles))).rows;
const firstRow = async (cells: string, styles = '') => (await rowsOf(odsTable(cells), styles))[0];
const cell = (attributes: string, content = '') => `<table:table-cell ${attributes}>${content}</table:table-cell>`;
const text = (content: string) => cell('office:value-type="string"', `<text:p>${content}</text:p>`);
const float = (value: string, more = '') => cell(`office:value-type="float" office:value="${value}" ${more}`);

describe('cells', () => {
  test.each<[string, string, unknown]>([
    ['a number', float('1234.5'), 1234.5],
    ['a number in its 17 digits', float('434.99999999999994'), 435],
    ['a number without content', '<table:table-cell office:value-type="float" office:value="5"/>', 5],
    ['money', cell('office:value-type="currency" office:currency="EUR" office:value="-9.5"'), -9.5],
    ['a part', cell('office:value-type="percentage" office:value="0.5"', '<text:p>50%</text:p>'), '50%'],
    ['a number that is none', cell('office:value-type="float" office:value="5x"', '<text:p>5x</text:p>'), '5x'],
    ['a day', cell('office:value-type="date" office:date-value="2026-03-02"', '<text:p>2.3.26</text:p>'), '2026-03-02'],
    ['a day before March 1900', cell('office:value-type="date" office:date-value="1900-02-28"'), '1900-02-28'],
    ['a day and a time', cell('office:value-type="date" office:date-value="2026-03-02T08:30:00.5"'), '2026-03-02T08:30:00.500'],
    ['a day in a time zone', cell('office:value-type="date" office:date-value="2026-03-02Z"', '<text:p>3/2/26</text:p>'), '2026-03-02'],
    ['a day as SheetJS writes it', cell('office:value-type="date" office:date-value="2026-03-02T00:00:00.000Z"', '<text:p>3/2/26</text:p>'), '2026-03-02'],
    ['a day and a time in a time zone', cell('office:value-type="date" office:date-value="2026-03-02T23:30:00+00:00"'), '2026-03-02T23:30:00'],
    ['one that is behind', cell('office:value-type="date" office:date-value="2026-03-02T23:30:00-03:00"'), '2026-03-02T23:30:00'],
    ['a day that is none', cell('office:value-type="date" office:date-value="2 March 2026"'), '2 March 2026'],
    ['a time', cell('office:value-type="time" office:time-value="PT08H30M00S"'), '08:30:00'],
    ['a time with all its parts', cell('office:value-type="time" office:time-value="P0Y0M0DT8H30M00.000S"'), '08:30:00'],
    ['a time of days', cell('office:value-type="time" office:time-value="P1DT2H"'), '1900-01-01T02:00:00'],
    ['a type that every object has', cell('office:value-type="constructor"', '<text:p>a</text:p>'), 'a'],
    ['yes', cell('office:value-type="boolean" office:boolean-value="true"', '<text:p>WAHR</text:p>'), true],
    ['no', cell('office:value-type="boolean" office:boolean-value="false"'), false],
    ['attributes in single quotes', "<table:table-cell office:value-type='float' office:value='5'/>", 5],
    ['another prefix', '<t:table-cell o:value-type="float" o:value="5"/>', 5],
    ['two types, of which one is of LibreOffice', cell('calcext:value-type="string" office:value-type="float" office:value="5"'), 5],
    ['a text', text('João &lt;&amp;&gt; "x"'), 'João <&> "x"'],
    ['what looks like an escape', text('_x0041_'), '_x0041_'],
    ['a neutralised text', text("'=1"), '=1'],
    ['a text as a value', cell('office:value-type="string" office:string-value="a&#10;b"', '<text:p>shown</text:p>'), 'a\nb'],
    ['a text without a type', cell('', '<text:p>a</text:p>'), 'a'],
    ['paragraphs', cell('office:value-type="string"', '<text:p>a</text:p> <text:p/><text:p>b</text:p>'), 'a\n\nb'],
    ['white space', text('\n  a <text:span> b</text:span>\t\tc '), 'a b c'],
    ['spaces that are meant', text('<text:s/>a<text:s text:c="3"/>b <text:s/>'), ' a   b  '],
    ['a tab, a line, a link', text('a<text:tab/>b<text:line-break/><text:a xlink:href="http://x">c</text:a>'), 'a\tb\nc'],
    ['a comment beside it', cell('office:value-type="string"', '<office:annotation><text:p>no</text:p></office:annotation><text:p>a</text:p>'), 'a'],
    ['a picture in it', cell('office:value-type="string"', '<text:p>a<draw:frame><draw:text-box><text:p>no</text:p></draw:text-box></draw:frame></text:p>'), 'a'],
    ['a shape over it', `${cell('office:value-type="string"', '<draw:custom-shape><text:p>no</text:p></draw:custom-shape><text:p>a</text:p>')}`, 'a'],
    ['nothing', cell('office:value-type="string"'), undefined],
  ])('reads %s', async (_, xml, value) => {
    expect((await firstRow(xml))?.cells[0]).toEqual(value);
  }); // biome-ignore format: a table

  test('formulas are reported with their cached results', async () => {
    const formula = (attributes: string, content = '') => cell(`table:formula="of:=A1" ${attributes}`, content);
    const row = await firstRow(
      formula('office:value-type="float" office:value="3"') +
        formula('office:value-type="string"', '<text:p>ab</text:p>') +
        formula('office:value-type="boolean" office:boolean-value="true"') +
        formula(
          'office:value-type="string" office:string-value="" calcext:value-type="error"',
          '<text:p>#N/A</text:p>',
        ) +
        formula(''),
    );
    const results = [['3', 3], ['ab', 'ab'], ['1', true], ['', ''], ['', '']] as const; // biome-ignore format: short
    expect(row!.problems).toEqual(results.map(([text, value], column) => ({ column, code: 'formula', text, value })));
  });

  test('repeated cells and rows, with and without content', async () => {
    const rows = await rowsOf(
      `<table:table><table:table-header-rows><table:table-row>${text('a')}</table:table-row></table:table-header-rows>` +
        `<table:table-row table:number-rows-repeated="3">${cell('table:number-columns-repeated="2"')}</table:table-row>` +
        `<table:table-row table:number-rows-repeated="2">${cell('')}${float('7', 'table:number-columns-repeated="3"')}${cell('table:number-columns-repeated="16000"')}</table:table-row>` +
        `<table:table-row-group><table:table-row><table:covered-table-cell><text:p>no</text:p></table:covered-table-cell>${text('z')}</table:table-row></table:table-row-group>` +
        '<table:table-row table:number-rows-repeated="1048566"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>',
    );
    expect(rows).toEqual([
      { row: 1, cells: ['a'] },
      { row: 5, cells: [null, 7, 7, 7] },
      { row: 6, cells: [null, 7, 7, 7] },
      { row: 7, cells: [null, 'z'] },
    ]);
  });

  test('styles with leading zeros or dates, of the cell or its column', async () => {
    const style = (name: string, of: string) => `<style:style style:name="${name}" style:family="table-cell" style:data-style-name="${of}"/>`;
    const styles =
      '<number:number-style style:name="N5"><number:number number:min-integer-digits="5"/></number:number-style>' +
      '<number:number-style style:name="N2"><number:number number:min-integer-digits="2"/><number:text>-</number:text><number:number number:min-integer-digits="3"/></number:number-style>' +
      '<number:number-style style:name="N9"><number:number number:decimal-places="2" number:min-integer-digits="2"/></number:number-style>' +
      '<number:date-style style:name="ND"><number:year/></number:date-style>' +
      ['N5', 'N2', 'N9', 'ND'].map((of) => style(`c_${of}`, of)).join('');
    const columns = '<table:table-column table:number-columns-repeated="4"/><table:table-column table:default-cell-style-name="c_N5" table:number-columns-repeated="16000"/>';
    const cells = ['N5', 'N2', 'N9', 'ND'].map((of) => float('46083', `table:style-name="c_${of}"`)).join('');
    const [row] = await rowsOf(`<table:table>${columns}<table:table-row>${cells}${float('7')}${float('8', 'table:style-name="none"')}</table:table-row></table:table>`, styles);
    expect(row!.cells).toEqual(['46083', '46-083', 46_083, '2026-03-02', '00007', 8]);
  }); // biome-ignore format: XML

  test('dates counted from 1904', async () => {
    const styles = '<number:date-style style:name="ND"/><style:style style:name="c" style:family="table-cell" style:data-style-name="ND"/>';
    const settings = '<table:calculation-settings><table:null-date table:date-value="1904-01-01"/></table:calculation-settings>';
    const cells = cell('office:value-type="date" office:date-value="2026-03-02"') + float('0', 'table:style-name="c"');
    expect((await rowsOf(settings + odsTable(cells), styles))[0]!.cells).toEqual(['2026-03-02', '1904-01-01']);
  }); // biome-ignore format: XML

  test('skips hidden tables, and ignores nested ones', async () => {
    const hidden = '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const within = cell('office:value-type="string"', `<text:p>a</text:p><table:table><table:table-row>${text('no')}</table:table-row></table:table>`);
    const tables =
      `<table:tracked-changes><table:table><table:table-row>${text('no')}</table:table-row></table:table></table:tracked-changes>` +
      odsTable(text('hidden'), '', 'Hidden" table:style-name="ta1') +
      odsTable(within + text('b'), '', 'Shown');
    const file = await odsOf(tables, {}, hidden);
    const { info, rows } = await readAll(reader, file);
    expect([info, rows]).toMatchObject([{ format: 'ods', sheet: 'Shown', sheets: ['Shown'] }, [{ row: 1, cells: ['a', 'b'] }]]);
    expect((await readAll(reader, file, { sheet: 'Hidden' })).rows).toEqual([{ row: 1, cells: ['hidden'] }]);
  }); // biome-ignore format: XML
});

describe('expensive requests are ignored or rejected', () => {
  const millions = (attribute: string) => `table:number-${attribute}-repeated="2000000000"`;
  test.each<[string, string, string]>([
    ['a row, a million times', odsTable(text('a'), ' table:number-rows-repeated="1048576"'), 'too_many_rows'],
    ['a row, two thousand million times', odsTable(text('a'), ` ${millions('rows')}`), 'damaged'],
    ['a cell, two thousand million times', odsTable(float('1', millions('columns'))), 'too_many_columns'],
    ['fifty cells in a million rows', odsTable(float('1', 'table:number-columns-repeated="50"'), ' table:number-rows-repeated="1048576"'), 'too_many_rows'],
    ['two thousand million spaces', odsTable(text('<text:s text:c="2000000000"/>')), 'cell_too_long'],
    ['many spaces, many times', odsTable(text('<text:s text:c="30000"/>'.repeat(9_000))), 'cell_too_long'],
    ['a long text in each of a thousand rows', odsTable(text('x'.repeat(30_000)).repeat(30), ' table:number-rows-repeated="1000"'), 'expands_too_much'],
    ['far too long a row', odsTable(text('x'.repeat(30_000)).repeat(40)), 'cell_too_long'],
    ['a text without an end', odsTable(text('xy'.repeat(3_000_000))), 'expands_too_much'],
  ])('%s', async (_, tables, code) => {
    expect(await refusal(reader, await odsOf(tables))).toMatchObject({ code });
    expect(await firstRow(float('1'))).toEqual({ row: 1, cells: [1] }); // the thread still works
  }); // biome-ignore format: a table

  test('two billion zeros before a number, columns, and empty cells', async () => {
    const styles =
      '<number:number-style style:name="N"><number:number number:min-integer-digits="2000000000"/></number:number-style>' +
      '<style:style style:name="c" style:family="table-cell" style:data-style-name="N"/>';
    const columns = `<table:table-column ${millions('columns')}/>`.repeat(100);
    const cells = float('1', 'table:style-name="c"') + cell(millions('columns')) + cell(millions('columns'));
    const tables = `<table:table>${columns}<table:table-row>${cells}</table:table-row></table:table>`;
    expect(await rowsOf(tables, styles)).toEqual([{ row: 1, cells: [1] }]);
  });

  test('20 MB of zeros, with or without a correct declared size', async () => {
    const file = await odsOf('', { 'content.xml': Buffer.alloc(20_000_000) });
    expect(file.length).toBeLessThan(40_000);
    expect(await refusal(reader, file)).toMatchObject({ code: 'expands_too_much' });
    for (const at of listed(file)) {
      if (file.toString('latin1', at + 46).startsWith('content.xml')) file.writeUInt32LE(4_000_000, at + 24);
    }
    expect(await refusal(reader, file)).toMatchObject({ code: expect.stringMatching('damaged|cell_too_long') });
  });
});

describe('rejected', () => {
  const one = odsTable(float('1'));
  const type = 'application/vnd.oasis.opendocument';
  const locked = '<m:manifest><m:file-entry m:full-path="content.xml"><m:encryption-data/></m:file-entry></m:manifest>';
  test.each<[string, () => Promise<Buffer>, string]>([
    ['a text document', () => odsOf(one, { mimetype: `${type}.text` }), 'not_a_workbook'],
    ['a text document that says it were none', () => odsOf('', { 'content.xml': '<office:document-content><office:text/></office:document-content>' }), 'not_a_workbook'],
    ['a password', () => odsOf(one, { 'META-INF/manifest.xml': locked, 'content.xml': Buffer.alloc(99, 7) }), 'password_protected'],
    ['a password, around all of it', () => zipped({ mimetype: `${type}.spreadsheet`, 'encrypted-package': 'x' }), 'password_protected'],
    ['macros', () => odsOf(one, { 'Basic/Standard/Module1.xml': '<x/>' }), 'macros'],
    ['macros in Python', () => odsOf(one, { 'Scripts/python/x.py': 'x' }), 'macros'],
    ['a table of another file', () => odsOf(odsTable('').replace('<table:table-row>', '<table:table-source xlink:href="file:///x.ods"/><table:table-row>')), 'external_links'],
    ['no tables', () => odsOf(''), 'no_sheet'],
    ['no content', () => zipped({ mimetype: `${type}.spreadsheet` }), 'damaged'],
    ['a document type', () => odsOf(one, { 'content.xml': `<!DOCTYPE x [<!ENTITY a "b">]>${odsContent(one)}` }), 'damaged'],
    ['XML that ends too early', () => odsOf(one, { 'content.xml': odsContent(one).slice(0, -30) }), 'damaged'],
    ['XML that is not well-formed', () => odsOf('</table:table>'.repeat(9)), 'damaged'],
    ['an entity that is not known', () => odsOf(odsTable(text('&file;'))), 'damaged'],
    ['an entity with a name that every object has', () => odsOf(odsTable(text('&constructor;'))), 'damaged'],
    ['bytes that are no text', () => odsOf(one, { 'content.xml': Buffer.concat([Buffer.from('<a>'), Buffer.from([0xff, 0xfe, 0xc3, 0x28])]) }), 'damaged'],
  ])('%s', async (_, make, code) => {
    expect(await refusal(reader, await make())).toMatchObject({ code });
    expect(await rowsOf(one)).toHaveLength(1); // the thread still works
  }); // biome-ignore format: a table
});
