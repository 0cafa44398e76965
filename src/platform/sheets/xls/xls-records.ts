/**
 * Reads the records of an Excel 97 to 2003 workbook ([MS-XLS] 2.1.4): each has a type, a length, and content. Only twenty of more
 * than two hundred types are used; the others are skipped, because one of them alone can put a link over four billion cells.
 */
import { t } from '../../../contract/languages/text.ts';
import { usedFormats } from '../cells/number-formats.ts';
import { damaged, legacyWorkbook } from '../model/error.ts';
import { macros, passwordProtected } from '../xml/archive.ts';
import { sharedTexts } from './xls-texts.ts';

export const record = {
  formula: 0x0006,
  end: 0x000a,
  date1904: 0x0022,
  protected: 0x002f,
  more: 0x003c,
  sheet: 0x0085,
  numbers: 0x00bd,
  richText: 0x00d6,
  style: 0x00e0,
  merged: 0x00e5,
  sharedTexts: 0x00fc,
  sharedText: 0x00fd,
  number: 0x0203,
  text: 0x0204,
  boolean: 0x0205,
  formulaText: 0x0207,
  row: 0x0208,
  shortNumber: 0x027e,
  format: 0x041e,
  begin: 0x0809,
} as const;

export interface XlsRecord {
  type: number;
  /** Offset in the stream; the content starts 4 bytes later. */
  at: number;
  end: number;
}

export interface XlsBook {
  from1904: boolean;
  /** Worksheets in order. */
  sheets: XlsSheet[];
  /** Shared texts, which cells refer to by number. */
  texts: string[];
  /** Other records before the sheets that cells depend on. */
  shared: Buffer[];
}

export interface XlsSheet {
  name: string;
  isVisible: boolean;
  /** Offset in the stream. */
  at: number;
}

/** @throws SheetError when a record is truncated */
export function* xlsRecords(stream: Buffer, from: number): Generator<XlsRecord> {
  for (let at = from; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    if (end > stream.length) break;
    yield { type: stream.readUInt16LE(at), at, end };
    at = end;
  }
  throw damaged(t`its records end too early`);
}

/** @param parts consecutive parts of the content */
export function xlsRecord(type: number, ...parts: Buffer[]): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(
    parts.reduce((sum, { length }) => sum + length, 0),
    2,
  );
  return Buffer.concat([head, ...parts]);
}

const retained = new Set<number>([record.begin, record.style, record.format]);

/** Reads the records before the sheets. @throws SheetError for an invalid, protected, or macro-enabled workbook */
export function readXlsBook(stream: Buffer): XlsBook {
  refuseOlder(stream);
  const book: XlsBook = { from1904: false, sheets: [], texts: [], shared: [] };
  const own = new Set<number>();
  const used = new Set([0]); // the style of a cell without one
  const texts: Buffer[] = [];
  let previous = 0;
  for (const { type, at, end } of xlsRecords(stream, 0)) {
    if (type === record.end) break;
    const content = stream.subarray(at + 4, end);
    if (type === record.protected) throw passwordProtected();
    if (type === record.sheet) addSheet(book, content);
    else if (type === record.date1904) book.from1904 = content[0] === 1;
    else if (type === record.format && content.length > 2) own.add(content.readUInt16LE(0));
    else if (type === record.style && content.length > 4) used.add(content.readUInt16LE(2));
    if (type !== record.more) previous = type;
    if (previous === record.sharedTexts) texts.push(content);
    else if (retained.has(type)) book.shared.push(stream.subarray(at, end));
  }
  if (texts.length > 0) book.texts = sharedTexts(texts);
  // The package keeps formats between files, so every format must be defined here.
  for (const { id, code } of usedFormats(used, own)) book.shared.push(formatRecord(id, code));
  return book;
}

/** Before Excel 97, the encoding of texts depended on the machine. */
function refuseOlder(stream: Buffer): void {
  const type = stream.length < 8 ? 0 : stream.readUInt16LE(0);
  if (!begins.has(type)) throw damaged(t`it does not begin as a workbook does`);
  if (type === record.begin && stream.readUInt16LE(4) === excel97) return;
  throw legacyWorkbook();
}

/** First records of workbooks since Excel 2, 3, 4, and 5. */
const begins = new Set<number>([0x0009, 0x0209, 0x0409, record.begin]);
/** The version in the last of these. */
const excel97 = 0x0600;
const kinds = { worksheet: 0, macros: 1, modules: 6 };

function addSheet({ sheets }: XlsBook, content: Buffer): void {
  if (content.length < 8) throw damaged(t`its list of sheets ends too early`);
  const kind = content[5];
  if (kind === kinds.macros || kind === kinds.modules) throw macros();
  if (kind !== kinds.worksheet) return; // a chart sheet
  const chars = content[6]!;
  const isWide = (content[7]! & 1) === 1;
  const text = content.subarray(8);
  const name = isWide ? text.toString('utf16le', 0, 2 * chars) : text.toString('latin1', 0, chars);
  sheets.push({ name, isVisible: (content[4]! & 3) === 0, at: content.readUInt32LE(0) });
}

function formatRecord(id: number, code: string): Buffer {
  const head = Buffer.from([id & 0xff, id >> 8, code.length, 0, 0]);
  return xlsRecord(record.format, head, Buffer.from(code, 'latin1'));
}

const partChars = 30_000;

/** A cell with its own text. @param head row, column, and style, which every cell starts with */
export function textRecords(head: Buffer, text: string): Buffer {
  const isWide = /[^\0-\xff]/.test(text);
  const first = isWide ? text.slice(0, partChars) : text;
  const bytes = first.length * (isWide ? 2 : 1);
  const found = Buffer.allocUnsafe(13 + bytes);
  found.writeUInt16LE(record.text, 0);
  found.writeUInt16LE(9 + bytes, 2);
  head.copy(found, 4, 0, 6);
  found.writeUInt16LE(text.length, 10);
  found[12] = Number(isWide);
  found.write(first, 13, isWide ? 'utf16le' : 'latin1');
  if (first.length === text.length) return found;
  const rest = Buffer.from(text.slice(partChars), 'utf16le');
  return Buffer.concat([found, xlsRecord(record.more, Buffer.from([1]), rest)]);
}
