/** Reads the rows of an Excel 97 to 2003 workbook (xls). */
import { t } from '../../../contract/languages/text.ts';
import { chooseSheet } from '../model/choose-sheet.ts';
import { damaged, SheetError } from '../model/error.ts';
import { refusePiece, refuseText, TextCount } from '../model/limits.ts';
import type { ReadLimits } from '../model/types.ts';
import { SheetMarks } from '../sheet-marks.ts';
import { cellKey, type Piece, pieceLimits, readPieces } from '../xlsx/read-by-xlsx.ts';
import type { Table } from '../xlsx/read-xlsx.ts';
import { macros, passwordProtected } from '../xml/archive.ts';
import { openContainer } from '../xml/container.ts';
import {
  readXlsBook,
  record,
  textRecords,
  type XlsBook,
  type XlsRecord,
  type XlsSheet,
  xlsRecord,
  xlsRecords,
} from './xls-records.ts';

/** @param sheet name; default: the first visible sheet */
export function readXls(bytes: Buffer, sheet: string | undefined, limits: ReadLimits): Table {
  const container = openContainer(bytes);
  if (container.has('EncryptedPackage')) throw passwordProtected();
  if (container.has('_VBA_PROJECT_CUR')) throw macros();
  const stream = container.file('Workbook') ?? container.file('Book');
  if (!stream) throw new SheetError('not_a_workbook', t`The file is not a workbook (xlsx, xls, xlsb or ods).`);
  const book = readXlsBook(stream);
  const { chosen, names } = chooseSheet(book.sheets, sheet);
  return {
    info: { format: 'xls', ...names, from1904: book.from1904 },
    groups: readPieces(pieces(stream, book, chosen, limits), book.from1904, limits),
    marks: marksOf(stream, chosen),
  };
}

/** The type of a macro sheet in its first record. */
const macroSheet = 0x0040;

/** Splits the sheet into chunks, each a complete stream with only its cells; one chunk if the rows are out of order. */
function* pieces(stream: Buffer, book: XlsBook, sheet: XlsSheet, limits: ReadLimits): Generator<Piece> {
  const begin = xlsRecords(stream, sheet.at).next().value;
  if (begin?.type !== record.begin || begin.end < begin.at + 8) throw damaged(t`a sheet is not where it should be`);
  if (stream.readUInt16LE(begin.at + 6) === macroSheet) throw macros();
  const shared = Buffer.concat(book.shared);
  const end = xlsRecord(record.end);
  const withContext = (cells: Buffer[]) => {
    const list = sheetRecord(shared.length + end.length);
    return Buffer.concat([shared, list, end, stream.subarray(begin.at, begin.end), ...cells, end]);
  };
  const sorted = isSorted(stream, sheet);
  const count = new TextCount(limits);
  let part = new Part(stream, book.texts, limits, count);
  for (const found of cellRecords(stream, sheet)) {
    if (sorted && part.isFull(found)) {
      yield { bytes: withContext(part.records()), formulas: part.formulas };
      part = new Part(stream, book.texts, limits, count);
    }
    part.add(found);
  }
  yield { bytes: withContext(part.records()), formulas: part.formulas };
}

/** @param before bytes in front of the sheet, except this record */
function sheetRecord(before: number): Buffer {
  const content = Buffer.from([0, 0, 0, 0, 0, 0, 1, 0, 0x53]);
  content.writeUInt32LE(before + 4 + content.length, 0);
  return xlsRecord(record.sheet, content);
}

/** The minimum size of row, column, style, and value, by record type. */
const minBytes = new Map<number, number>([
  [record.number, 14],
  [record.shortNumber, 10],
  [record.numbers, 12],
  [record.boolean, 8],
  [record.text, 9],
  [record.richText, 9],
  [record.sharedText, 10],
  [record.formula, 20],
]);
const continuable = new Set<number>([record.text, record.richText, record.formulaText]);
const formulaHeadBytes = 20;

/** Skips records of embedded charts. */
function* sheetRecords(stream: Buffer, { at }: XlsSheet): Generator<XlsRecord> {
  let depth = 0;
  for (const found of xlsRecords(stream, at)) {
    if (found.type === record.begin) depth++;
    if (found.type === record.end && --depth === 0) return;
    if (depth <= 1) yield found;
  }
}

/** The flag of a hidden row. */
const hiddenRow = 0x20;

function marksOf(stream: Buffer, sheet: XlsSheet): SheetMarks {
  const marks = new SheetMarks();
  for (const { type, at, end } of sheetRecords(stream, sheet)) {
    const content = stream.subarray(at + 4, end);
    if (type === record.row && content.length >= 16 && (content[12]! & hiddenRow) !== 0) {
      marks.addHidden(content.readUInt16LE(0) + 1);
    }
    if (type !== record.merged) continue;
    for (let offset = 2; offset + 8 <= content.length; offset += 8) {
      const [first, last, column] = [0, 2, 4].map((more) => content.readUInt16LE(offset + more));
      marks.addMerged({ column: column!, first: first! + 1, last: last! + 1 });
    }
  }
  return marks;
}

/** Records of cells and their texts. */
function* cellRecords(stream: Buffer, sheet: XlsSheet): Generator<XlsRecord> {
  let previous = 0;
  let cell = 0;
  for (const found of sheetRecords(stream, sheet)) {
    const { type, at, end } = found;
    if (type === record.more) {
      if (continuable.has(previous)) yield found;
      continue;
    }
    previous = type;
    const minLength = minBytes.get(type);
    if (minLength !== undefined) {
      if (end - at - 4 < minLength) throw damaged(t`a cell of it ends too early`);
    } else if (type !== record.formulaText || cell !== record.formula) {
      previous = 0;
      continue;
    }
    cell = type;
    yield found;
  }
}

function isSorted(stream: Buffer, sheet: XlsSheet): boolean {
  let last = 0;
  for (const { type, at } of cellRecords(stream, sheet)) {
    if (!minBytes.has(type)) continue;
    const row = stream.readUInt16LE(at + 4);
    if (row < last) return false;
    last = row;
  }
  return true;
}

/** Copies cell records, but reduces formulas to their results, and replaces references by the shared texts. */
class Part {
  readonly formulas = new Set<number>();
  readonly #stream: Buffer;
  readonly #texts: readonly string[];
  readonly #limits: ReadLimits;
  /** Across all chunks: a shared text can occur in a million cells. */
  readonly #count: TextCount;
  readonly #records: Buffer[] = [];
  #from = 0;
  #end = 0;
  #row = 0;
  #cells = 0;
  #bytes = 0;

  constructor(stream: Buffer, texts: readonly string[], limits: ReadLimits, count: TextCount) {
    this.#stream = stream;
    this.#texts = texts;
    this.#limits = limits;
    this.#count = count;
  }

  /** Whether the chunk is full and this record starts a row. */
  isFull({ type, at }: XlsRecord): boolean {
    const hasRoom = this.#cells < pieceLimits.cells && this.#bytes < pieceLimits.bytes;
    return !hasRoom && minBytes.has(type) && this.#stream.readUInt16LE(at + 4) !== this.#row;
  }

  add({ type, at, end }: XlsRecord): void {
    const content = this.#stream.subarray(at + 4, end);
    if (minBytes.has(type)) this.#row = content.readUInt16LE(0);
    this.#cells += type === record.numbers ? (content.length - 6) / 6 : 1;
    if (type === record.formula) {
      this.formulas.add(cellKey(this.#row, content.readUInt16LE(2)));
      this.#put(xlsRecord(type, content.subarray(0, formulaHeadBytes), noFormula));
    } else if (type === record.sharedText) {
      const text = this.#texts[content.readUInt32LE(6)];
      if (text === undefined) throw damaged(t`a cell has a text that is not there`);
      refuseText(text, this.#row + 1, content.readUInt16LE(2), this.#limits);
      this.#count.addText(this.#row + 1, text.length);
      this.#put(textRecords(content, text));
      refusePiece(this.#bytes);
    } else this.#extendRange(at, end);
  }

  records(): Buffer[] {
    this.#extendRange(0, 0);
    return this.#records;
  }

  #put(bytes: Buffer): void {
    this.#extendRange(0, 0);
    this.#records.push(bytes);
    this.#bytes += bytes.length;
  }

  /** Contiguous records become one buffer: millions of buffers would take more memory than their content. */
  #extendRange(at: number, end: number): void {
    if (at !== this.#end) {
      if (this.#end > this.#from) this.#records.push(this.#stream.subarray(this.#from, this.#end));
      this.#from = at;
    }
    this.#bytes += end - at;
    this.#end = end;
  }
}

/** The length of a formula. */
const noFormula = Buffer.alloc(2);
