/** Reads the rows of a binary workbook (xlsb): an archive like xlsx, with records instead of XML. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { t } from '../../../contract/languages/text.ts';
import { usedFormats } from '../cells/number-formats.ts';
import { chooseSheet } from '../model/choose-sheet.ts';
import { damaged } from '../model/error.ts';
import { refuseSharedText, refuseText, TextCount } from '../model/limits.ts';
import type { ReadLimits } from '../model/types.ts';
import { SheetMarks } from '../sheet-marks.ts';
import { cellKey, type Piece, pieceLimits, readPieces } from '../xlsx/read-by-xlsx.ts';
import type { Table } from '../xlsx/read-xlsx.ts';
import { relationsOf } from '../xlsx/workbook.ts';
import type { Archive } from '../xml/archive.ts';
import { record, textAt, textBytes, uint32, type XlsbRecord, xlsbRecord, xlsbRecords } from './xlsb-records.ts';

/** @param mainPart the part that refers to all others @param sheet name; default: the first visible sheet */
export async function readXlsb(
  archive: Archive,
  mainPart: string,
  sheet: string | undefined,
  limits: ReadLimits,
): Promise<Table> {
  const relations = await relationsOf(archive, mainPart);
  const pathOf = (type: string) => relations.find((relation) => relation.type === type)?.target;
  const book = await readBook(archive, mainPart);
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const worksheets = book.sheets.flatMap(({ relationId, ...found }) => {
    const relation = byId.get(relationId);
    return relation?.type === 'worksheet' ? [{ ...found, path: relation.target }] : []; // others are charts
  });
  const { chosen, names } = chooseSheet(worksheets, sheet);
  const styles = await readStyles(archive, pathOf('styles'));
  const texts = await readSharedTexts(archive, pathOf('sharedStrings'), limits);
  const marks = new SheetMarks();
  return {
    info: { format: 'xlsb', ...names, from1904: book.from1904 },
    groups: readPieces(pieces(archive, chosen.path, styles, texts, limits, marks), book.from1904, limits),
    marks,
  };
}

interface Sheet {
  name: string;
  relationId: string;
  isVisible: boolean;
}

async function readBook(archive: Archive, path: string): Promise<{ sheets: Sheet[]; from1904: boolean }> {
  const book = { sheets: [] as Sheet[], from1904: false };
  for await (const records of xlsbRecords(archive.bytes(path))) {
    for (const { type, content } of records) {
      if (type === record.bookProperties) book.from1904 = ((content[0] ?? 0) & 1) === 1;
      if (type !== record.sheet) continue;
      const relation = textAt(content, 8);
      const { text: name } = textAt(content, relation.end);
      book.sheets.push({ name, relationId: relation.text, isVisible: content.readUInt32LE(0) === 0 });
    }
  }
  return book;
}

/** Of cells; Excel's limit. */
const maxStyles = 65_490;

/** Keeps the number formats of cell styles; the rest is fonts and colors. */
async function readStyles(archive: Archive, path: string | undefined): Promise<Buffer> {
  const own = new Map<number, Buffer>();
  const styles: Buffer[] = [];
  const used = new Set<number>();
  let isOfCells = false;
  for await (const records of path && archive.has(path) ? xlsbRecords(archive.bytes(path)) : []) {
    for (const { type, content, bytes } of records) {
      if (type === record.beginStyles) isOfCells = true;
      else if (type === record.endStyles) isOfCells = false;
      else if (type === record.format && content.length >= 2) {
        own.set(content.readUInt16LE(0), bytes); // the package is slow for each format, so repeated ones count once
      } else if (type === record.style && isOfCells && content.length >= 4) {
        used.add(content.readUInt16LE(2));
        styles.push(bytes);
        if (styles.length > maxStyles) throw damaged(t`it has more styles than a workbook can have`);
      }
    }
  }
  const formats = [...own].flatMap(([id, bytes]) => (used.has(id) ? [bytes] : []));
  for (const { id, code } of usedFormats(used, new Set(own.keys()))) {
    formats.push(xlsbRecord(record.format, Buffer.from([id & 0xff, id >> 8]), textBytes(code)));
  }
  return Buffer.concat([...formats, xlsbRecord(record.beginStyles), ...styles, xlsbRecord(record.endStyles)]);
}

/** The shared texts, which cells refer to by number. */
async function readSharedTexts(archive: Archive, path: string | undefined, limits: ReadLimits): Promise<string[]> {
  const texts: string[] = [];
  let chars = 0;
  for await (const records of path && archive.has(path) ? xlsbRecords(archive.bytes(path)) : []) {
    for (const { type, content } of records) {
      if (type !== record.sharedText) continue;
      const { text } = textAt(content, 1);
      chars += text.length;
      refuseSharedText(chars, texts.length, limits);
      texts.push(text);
    }
  }
  return texts;
}

/** Splits the sheet into chunks, each a complete archive with only its rows. */
async function* pieces(
  archive: Archive,
  path: string,
  styles: Buffer,
  texts: readonly string[],
  limits: ReadLimits,
  marks: SheetMarks,
): AsyncGenerator<Piece> {
  let part = new Part(texts, limits);
  for await (const records of xlsbRecords(archive.bytes(path))) {
    for (const found of records) {
      if (part.isFull(found)) {
        yield { bytes: await withContext(part.records, styles), formulas: part.formulas };
        part = part.next();
      }
      part.add(found);
      mark(marks, found);
    }
  }
  if (!part.hasEnded) throw damaged(t`a sheet ends too early`);
  yield { bytes: await withContext(part.records, styles), formulas: part.formulas };
}

/** The flag of a hidden row. */
const hiddenRow = 0x10;

function mark(marks: SheetMarks, { type, content }: XlsbRecord): void {
  if (type === record.row && content.length >= 12 && (content[11]! & hiddenRow) !== 0) {
    marks.addHidden(content.readUInt32LE(0) + 1);
  }
  if (type !== record.merged || content.length < 16) return;
  const [first, last, column] = [0, 4, 8].map((at) => content.readUInt32LE(at));
  marks.addMerged({ column: column!, first: first! + 1, last: last! + 1 });
}

const packageTypes = 'http://schemas.openxmlformats.org/package/2006/content-types';
const contentTypes =
  `<?xml version="1.0"?><Types xmlns="${packageTypes}">` +
  [
    ['workbook', 'sheet.binary.macroEnabled.main'],
    ['worksheets/sheet1', 'worksheet'],
    ['styles', 'styles'],
  ]
    .map(([part, type]) => `<Override PartName="/xl/${part}.bin" ContentType="application/vnd.ms-excel.${type}"/>`)
    .join('') +
  '</Types>';
const bookBin = Buffer.concat([
  xlsbRecord(record.beginBook),
  xlsbRecord(record.beginSheets),
  xlsbRecord(record.sheet, uint32(0), uint32(1), textBytes('r1'), textBytes('S')),
  xlsbRecord(record.endSheets),
  xlsbRecord(record.endBook),
]);

async function withContext(cells: readonly Buffer[], styles: Buffer): Promise<Buffer> {
  const sheet = Buffer.concat([
    xlsbRecord(record.beginSheet),
    xlsbRecord(record.beginCells),
    ...cells,
    xlsbRecord(record.endCells),
    xlsbRecord(record.endSheet),
  ]);
  const parts = {
    '[Content_Types].xml': Buffer.from(contentTypes),
    'xl/workbook.bin': bookBin,
    'xl/worksheets/sheet1.bin': sheet,
    'xl/styles.bin': styles,
  };
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(content, path, { compress: false });
  zip.end();
  return buffer(zip.outputStream);
}

/** The minimum size of column, style, and value, by record type. */
const minBytes: Record<number, number> = {
  2: 12,
  3: 9,
  4: 9,
  5: 16,
  6: 12,
  7: 12,
  8: 12,
  9: 16,
  10: 9,
  11: 9,
  62: 13,
};
/** The offset of the text in record types that have one. */
const textOffsets: Record<number, number> = { 6: 8, 8: 8, 62: 9 };
const lastColumn = 16_383;
const lastRow = 1_048_575;

/** Keeps records of rows and cells, and drops all others, such as links over millions of cells. */
class Part {
  readonly records: Buffer[] = [];
  readonly formulas = new Set<number>();
  hasEnded = false;
  #hasStarted = false;
  #row = -1;
  #column = -1;
  #cells = 0;
  #bytes = 0;
  readonly #texts: readonly string[];
  readonly #limits: ReadLimits;
  /** Across all chunks: a shared text can occur in a million cells, even of one row. */
  readonly #count: TextCount;

  constructor(texts: readonly string[], limits: ReadLimits, count = new TextCount(limits)) {
    this.#texts = texts;
    this.#limits = limits;
    this.#count = count;
  }

  /** Whether the chunk is full and this record starts a row. */
  isFull({ type }: XlsbRecord): boolean {
    const hasRoom = this.#cells < pieceLimits.cells && this.#bytes < pieceLimits.bytes;
    return type === record.row && !hasRoom;
  }

  /** The chunk that continues this one. */
  next(): Part {
    const part = new Part(this.#texts, this.#limits, this.#count);
    part.#hasStarted = true;
    part.#row = this.#row;
    return part;
  }

  add(found: XlsbRecord): void {
    const { type } = found;
    if (type === record.beginCells) this.#hasStarted = true;
    if (type === record.endCells) this.hasEnded = true;
    if (!this.#hasStarted || this.hasEnded) return;
    if (type === record.row) this.#addRow(found);
    else if ((type > record.blank && type <= record.lastShort) || type === record.richText) this.#addCell(found);
    else if (type === record.blank) this.#column = columnOf(found);
  }

  #addRow({ content, bytes }: XlsbRecord): void {
    const row = content.length < 4 ? -1 : content.readUInt32LE(0);
    if (row <= this.#row || row > lastRow) throw damaged(t`its rows are out of order`);
    this.#row = row;
    this.#column = -1;
    this.records.push(bytes);
  }

  /** A short record has no position: it follows the previous cell. */
  #addCell(found: XlsbRecord): void {
    const { type, content, bytes } = found;
    const isShort = type >= record.shortBlank && type <= record.lastShort;
    this.#column = isShort ? this.#column + 1 : columnOf(found);
    if (this.#row < 0 || this.#column > lastColumn) throw damaged(t`its cells are out of order`);
    if (type === record.shortBlank) return;
    if (type >= record.firstFormula && type <= record.lastFormula) {
      this.formulas.add(cellKey(this.#row, this.#column));
    }
    const cell = this.#written(type, content, bytes);
    this.records.push(cell);
    this.#cells++;
    this.#bytes += cell.length;
  }

  /** The long form of a cell's record, with its position and text. */
  #written(type: number, content: Buffer, bytes: Buffer): Buffer {
    const isShort = type >= record.shortBlank && type <= record.lastShort;
    if (isShort) {
      const longType = type - record.shortBlank + record.blank;
      const long = Buffer.concat([uint32(this.#column), content]);
      return this.#written(longType, long, xlsbRecord(longType, long));
    }
    if (content.length < (minBytes[type] ?? 0)) throw damaged(t`a cell of it ends too early`);
    if (textOffsets[type] !== undefined) textAt(content, textOffsets[type]); // the package would read past the end
    if (type !== record.namedText) return bytes;
    const text = this.#texts[content.readUInt32LE(8)];
    if (text === undefined) throw damaged(t`a cell has a text that is not there`);
    refuseText(text, this.#row + 1, this.#column, this.#limits);
    this.#count.addText(this.#row + 1, text.length);
    return xlsbRecord(record.text, content.subarray(0, 8), textBytes(text));
  }
}

function columnOf({ content }: XlsbRecord): number {
  if (content.length < 8) throw damaged(t`a cell of it ends too early`);
  return content.readUInt32LE(0);
}
