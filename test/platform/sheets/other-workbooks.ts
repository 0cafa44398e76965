/** Workbooks in the formats that the xlsx package reads: written by it, or assembled in ways that no program would. */
import * as XLSX from 'xlsx';
import { record as xls, xlsRecord } from '../../../src/platform/sheets/xls/xls-records.ts';
import { textBytes, uint32, record as xlsb, xlsbRecord } from '../../../src/platform/sheets/xls/xlsb-records.ts';
import { type Parts, zipped } from './workbooks.ts';

export const kinds = ['xls', 'xlsb', 'ods'] as const;
export type Kind = (typeof kinds)[number];

/** A sheet in the package's format: rows of cells, with gaps. */
export type Cells = (XLSX.CellObject | undefined)[][];

/** @param sheets by name; the first is the one to read */
export function written(kind: Kind | 'xlsx', sheets: Record<string, Cells>, from1904 = false): Buffer {
  const book = XLSX.utils.book_new();
  for (const [name, cells] of Object.entries(sheets)) {
    const columns = Math.max(1, ...cells.map(({ length }) => length));
    const range = { s: { r: 0, c: 0 }, e: { r: cells.length - 1, c: columns - 1 } };
    const sheet = { '!ref': XLSX.utils.encode_range(range), '!data': cells } as XLSX.WorkSheet;
    XLSX.utils.book_append_sheet(book, sheet, name);
  }
  book.Workbook = { WBProps: { date1904: from1904 } };
  const bookType = kind === 'xls' ? 'biff8' : kind;
  const { error } = console;
  console.error = () => {}; // a line for each format character that ODS lacks
  try {
    return XLSX.write(book, { type: 'buffer', bookType, compression: true, bookSST: true });
  } finally {
    console.error = error;
  }
}

/** A compound file with these files at the root. */
export function container(files: Record<string, Buffer>): Buffer {
  const cfb = XLSX.CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(files)) XLSX.CFB.utils.cfb_add(cfb, `/${name}`, content);
  return Buffer.from(XLSX.CFB.write(cfb, { type: 'buffer' }) as Uint8Array);
}

/** Starts a workbook (5) or a worksheet (16). */
function xlsBegin(kind: number, version = 0x0600): Buffer {
  const content = Buffer.alloc(16);
  content.writeUInt16LE(version, 0);
  content.writeUInt16LE(kind, 2);
  return xlsRecord(xls.begin, content);
}

export interface XlsParts {
  /** Records before the sheets. */
  shared?: Buffer[];
  kind?: number;
  version?: number;
  files?: Record<string, Buffer>;
}

/** @param cells records of the only sheet */
export function xlsOf(cells: Buffer[], parts: XlsParts = {}): Buffer {
  return container({ Workbook: xlsStream(cells, parts), ...parts.files });
}

export function xlsStream(cells: Buffer[], { shared = [], kind = 0, version }: XlsParts = {}): Buffer {
  const end = xlsRecord(xls.end);
  const head = [xlsBegin(5, version), ...shared];
  const sheet = Buffer.from([0, 0, 0, 0, 0, kind, 6, 0, ...Buffer.from('People')]);
  sheet.writeUInt32LE(Buffer.concat(head).length + 4 + sheet.length + end.length, 0);
  return Buffer.concat([...head, xlsRecord(xls.sheet, sheet), end, xlsBegin(16), ...cells, end]);
}

/** Row, column (both zero-based), and style, which start every xls cell. */
export function cellPosition(row: number, column: number, style = 0): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt16LE(row, 0);
  bytes.writeUInt16LE(column, 2);
  bytes.writeUInt16LE(style, 4);
  return bytes;
}

export function uint16(value: number): Buffer {
  return Buffer.from([value & 0xff, value >> 8]);
}

export function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

export function xlsNumber(row: number, column: number, value: number, style = 0): Buffer {
  return xlsRecord(xls.number, cellPosition(row, column, style), double(value));
}

export function sharedText(text: string, flags = 1): Buffer {
  const bytes = flags === 1 ? Buffer.from(text, 'utf16le') : Buffer.from(text, 'latin1');
  return Buffer.concat([uint16(text.length), Buffer.from([flags]), bytes]);
}

export function xlsSharedText(row: number, column: number, number: number): Buffer {
  return xlsRecord(xls.sharedText, cellPosition(row, column), uint32(number));
}

/** A formula with its cached result: a number, or another type as in [MS-XLS] 2.5.133. */
export function xlsFormula(row: number, column: number, result: Buffer): Buffer {
  const tokens = Buffer.from([0x1e, 1, 0, 0x1e, 2, 0, 0x03]); // 1+2
  return xlsRecord(xls.formula, cellPosition(row, column), result, Buffer.alloc(6), uint16(tokens.length), tokens);
}

export function xlsStyle(format: number): Buffer {
  return xlsRecord(xls.style, uint16(0), uint16(format), Buffer.alloc(16));
}

export function xlsFormat(id: number, code: string): Buffer {
  return xlsRecord(xls.format, uint16(id), uint16(code.length), Buffer.from([0]), Buffer.from(code, 'latin1'));
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** @param cells records of the only sheet */
export function xlsbOf(cells: Buffer[], more: Parts = {}): Promise<Buffer> {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  return zipped({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${relation('r1', 'officeDocument', 'xl/workbook.bin')}</Relationships>`,
    'xl/workbook.bin': Buffer.concat([
      xlsbRecord(xlsb.beginBook),
      xlsbRecord(xlsb.sheet, uint32(0), uint32(1), textBytes('r1'), textBytes('People')),
      xlsbRecord(xlsb.endBook),
    ]),
    'xl/_rels/workbook.bin.rels': `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.bin')}${relation('r2', 'styles', 'styles.bin')}${relation('r3', 'sharedStrings', 'sharedStrings.bin')}</Relationships>`,
    'xl/worksheets/sheet1.bin': Buffer.concat([
      xlsbRecord(xlsb.beginSheet),
      xlsbRecord(xlsb.beginCells),
      ...cells,
      xlsbRecord(xlsb.endCells),
      xlsbRecord(xlsb.endSheet),
    ]),
    ...more,
  });
}

export function xlsbRow(row: number): Buffer {
  return xlsbRecord(xlsb.row, uint32(row), Buffer.alloc(13));
}

/** @param type of the record @param content after column and style */
export function xlsbCell(type: number, column: number, ...content: Buffer[]): Buffer {
  return xlsbRecord(type, uint32(column), uint32(0), ...content);
}

const odsType = 'application/vnd.oasis.opendocument.spreadsheet';

/** @param tables XML of the tables */
export function odsOf(tables: string, more: Parts = {}, styles = ''): Promise<Buffer> {
  return zipped({
    mimetype: odsType,
    'META-INF/manifest.xml': '<manifest:manifest/>',
    'content.xml': odsContent(tables, styles),
    ...more,
  });
}

export function odsContent(tables: string, styles = ''): string {
  return `<?xml version="1.0"?><office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`;
}

/** A table with one row of these cells. */
export function odsTable(cells: string, row = '', name = 'People'): string {
  return `<table:table table:name="${name}"><table:table-row${row}>${cells}</table:table-row></table:table>`;
}

/** Rows of distinct numbers, generated without the package, which would take minutes. */
export async function manyRows(kind: Kind, rows: number, columns: number): Promise<Buffer> {
  const numbers = (row: number) => Array.from({ length: columns }, (_, column) => row * columns + column);
  const all = Array.from({ length: rows }, (_, row) => numbers(row));
  if (kind === 'xls') {
    return xlsOf(all.flatMap((row, r) => row.map((value, column) => xlsNumber(r, column, value))));
  }
  if (kind === 'xlsb') {
    const cells = (row: number[]) => row.map((value, column) => xlsbCell(xlsb.number, column, double(value)));
    return xlsbOf(all.flatMap((row, r) => [xlsbRow(r), ...cells(row)]));
  }
  const cell = (value: number) => `<table:table-cell office:value-type="float" office:value="${value}"/>`;
  const xml = all.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`);
  return odsOf(`<table:table table:name="People">${xml.join('')}</table:table>`);
}
