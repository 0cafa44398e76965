/**
 * The records that a workbook of Excel 97 to 2003 is made of ([MS-XLS] 2.1.4): each has a type, a length and its content. Of the more than two hundred types a table needs twenty. The others stay where they are, whatever they
 * ask for: one of them lays a link over four thousand million cells.
 */
import { say } from '../../../contract/languages/text.ts';
import { builtInFormat, formatOf, type NumberFormat } from '../cells/number-formats.ts';
import { damaged, legacyWorkbook } from '../model/error.ts';
import { macros, passwordProtected } from '../xml/archive.ts';
import { sharedTexts } from './xls-texts.ts';

/** Their types. */
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
  /** Its content, and that of the records that go on with it. */
  parts: [Buffer, ...Buffer[]];
}

export interface XlsBook {
  from1904: boolean;
  /** The worksheets in their order. */
  sheets: XlsSheet[];
  /** What cells name by number. */
  texts: string[];
  /** What the numbers in cells are, by the number of their style. */
  styles: NumberFormat[];
}

export interface XlsSheet {
  name: string;
  isVisible: boolean;
  /** Where it begins in the stream. */
  at: number;
}

/** @throws SheetError when one of them is not all there */
export function* xlsRecords(stream: Buffer, from: number): Generator<XlsRecord> {
  let found: XlsRecord | undefined;
  for (let at = from; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at);
    const end = at + 4 + stream.readUInt16LE(at + 2);
    if (end > stream.length) break;
    const content = stream.subarray(at + 4, end);
    if (type === record.more) found?.parts.push(content);
    else {
      if (found) yield found;
      found = { type, parts: [content] };
    }
    at = end;
  }
  if (found) yield found;
  throw damaged(say`its records end too early`);
}

/**
 * Reads what stands in front of the sheets.
 * @throws SheetError for a workbook that is none, is protected or has macros
 */
export function readXlsBook(stream: Buffer): XlsBook {
  refuseOlder(stream);
  const book: XlsBook = { from1904: false, sheets: [], texts: [], styles: [] };
  const own = new Map<number, NumberFormat>();
  const used: number[] = [];
  for (const { type, parts } of xlsRecords(stream, 0)) {
    if (type === record.end) break;
    const [content] = parts;
    if (type === record.protected) throw passwordProtected();
    if (type === record.sheet) addSheet(book, content);
    else if (type === record.date1904) book.from1904 = content[0] === 1;
    else if (type === record.format && content.length > 4) own.set(content.readUInt16LE(0), formatIn(content));
    else if (type === record.style && content.length > 4) used.push(content.readUInt16LE(2));
    else if (type === record.sharedTexts) book.texts = sharedTexts(parts);
  }
  book.styles = used.map((id) => own.get(id) ?? builtInFormat(id));
  return book;
}

/** Its length is not what some programs say that it is. */
function formatIn(content: Buffer): NumberFormat {
  return formatOf(content.toString((content[4]! & 1) === 1 ? 'utf16le' : 'latin1', 5));
}

/** Before Excel 97 the encoding of texts depended on the machine. */
function refuseOlder(stream: Buffer): void {
  const type = stream.length < 8 ? 0 : stream.readUInt16LE(0);
  if (!begins.has(type)) throw damaged(say`it does not begin as a workbook does`);
  if (type === record.begin && stream.readUInt16LE(4) === excel97) return;
  throw legacyWorkbook();
}

/** What begins a workbook, since Excel 2, 3, 4 and 5. */
const begins = new Set<number>([0x0009, 0x0209, 0x0409, record.begin]);
/** What the last of these says of its version. */
const excel97 = 0x0600;
const kinds = { worksheet: 0, macros: 1, modules: 6 };

function addSheet({ sheets }: XlsBook, content: Buffer): void {
  if (content.length < 8) throw damaged(say`its list of sheets ends too early`);
  const kind = content[5];
  if (kind === kinds.macros || kind === kinds.modules) throw macros();
  if (kind !== kinds.worksheet) return; // a chart on a sheet of its own
  const chars = content[6]!;
  const isWide = (content[7]! & 1) === 1;
  const text = content.subarray(8);
  const name = isWide ? text.toString('utf16le', 0, 2 * chars) : text.toString('latin1', 0, chars);
  sheets.push({ name, isVisible: (content[4]! & 3) === 0, at: content.readUInt32LE(0) });
}
