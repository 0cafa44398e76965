/** Rows of a binary workbook (xlsb): an archive like that of an xlsx, with records in the place of XML. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { say } from '../../contract/languages/text.ts';
import type { Archive } from './archive.ts';
import { chooseSheet } from './choose-sheet.ts';
import { damaged } from './error.ts';
import { usedFormats } from './number-formats.ts';
import { cellKey, most_of_a_piece, type Piece, readPieces } from './read-by-xlsx.ts';
import type { Table } from './read-xlsx.ts';
import { refuseSharedText, refuseText, TextCount } from './too-much.ts';
import type { ReadLimits } from './types.ts';
import { relationsOf } from './workbook.ts';
import { record, textAt, textBytes, uint32, type XlsbRecord, xlsbRecord, xlsbRecords } from './xlsb-records.ts';

/**
 * @param main_part the part that names all others
 * @param sheet its name; by default the first that is visible
 */
export async function readXlsb(
  archive: Archive,
  main_part: string,
  sheet: string | undefined,
  limits: ReadLimits,
): Promise<Table> {
  const relations = await relationsOf(archive, main_part);
  const pathOf = (type: string) => relations.find((relation) => relation.type === type)?.target;
  const book = await readBook(archive, main_part);
  const by_id = new Map(relations.map((relation) => [relation.id, relation]));
  const worksheets = book.sheets.flatMap(({ relation_id, ...found }) => {
    const relation = by_id.get(relation_id);
    return relation?.type === 'worksheet' ? [{ ...found, path: relation.target }] : []; // others are charts
  });
  const { chosen, names } = chooseSheet(worksheets, sheet);
  const styles = await readStyles(archive, pathOf('styles'));
  const texts = await readSharedTexts(archive, pathOf('sharedStrings'), limits);
  return {
    info: { format: 'xlsb', ...names, from_1904: book.from_1904 },
    groups: readPieces(pieces(archive, chosen.path, styles, texts, limits), book.from_1904, limits),
  };
}

interface Sheet {
  name: string;
  relation_id: string;
  is_visible: boolean;
}

async function readBook(archive: Archive, path: string): Promise<{ sheets: Sheet[]; from_1904: boolean }> {
  const book = { sheets: [] as Sheet[], from_1904: false };
  for await (const records of xlsbRecords(archive.bytes(path))) {
    for (const { type, content } of records) {
      if (type === record.book_properties) book.from_1904 = ((content[0] ?? 0) & 1) === 1;
      if (type !== record.sheet) continue;
      const relation = textAt(content, 8);
      const { text: name } = textAt(content, relation.end);
      book.sheets.push({ name, relation_id: relation.text, is_visible: content.readUInt32LE(0) === 0 });
    }
  }
  return book;
}

/** Of cells; Excel's own limit. */
const most_styles = 65_490;

/** What the styles of cells say about numbers; the rest is fonts and colours. */
async function readStyles(archive: Archive, path: string | undefined): Promise<Buffer> {
  const own = new Map<number, Buffer>();
  const styles: Buffer[] = [];
  const used = new Set<number>();
  let is_of_cells = false;
  for await (const records of path && archive.has(path) ? xlsbRecords(archive.bytes(path)) : []) {
    for (const { type, content, bytes } of records) {
      if (type === record.begin_styles) is_of_cells = true;
      else if (type === record.end_styles) is_of_cells = false;
      else if (type === record.format && content.length >= 2) {
        own.set(content.readUInt16LE(0), bytes); // the package takes its time for each, so those that are repeated count once
      } else if (type === record.style && is_of_cells && content.length >= 4) {
        used.add(content.readUInt16LE(2));
        styles.push(bytes);
        if (styles.length > most_styles) throw damaged(say`it has more styles than a workbook can have`);
      }
    }
  }
  const formats = [...own].flatMap(([id, bytes]) => (used.has(id) ? [bytes] : []));
  for (const { id, code } of usedFormats(used, new Set(own.keys()))) {
    formats.push(xlsbRecord(record.format, Buffer.from([id & 0xff, id >> 8]), textBytes(code)));
  }
  return Buffer.concat([...formats, xlsbRecord(record.begin_styles), ...styles, xlsbRecord(record.end_styles)]);
}

/** The texts that cells name by number. */
async function readSharedTexts(archive: Archive, path: string | undefined, limits: ReadLimits): Promise<string[]> {
  const texts: string[] = [];
  let chars = 0;
  for await (const records of path && archive.has(path) ? xlsbRecords(archive.bytes(path)) : []) {
    for (const { type, content } of records) {
      if (type !== record.shared_text) continue;
      const { text } = textAt(content, 1);
      chars += text.length;
      refuseSharedText(chars, texts.length, limits);
      texts.push(text);
    }
  }
  return texts;
}

/** The sheet in parts: each is an archive as the file would be with these rows only. */
async function* pieces(
  archive: Archive,
  path: string,
  styles: Buffer,
  texts: readonly string[],
  limits: ReadLimits,
): AsyncGenerator<Piece> {
  let part = new Part(texts, limits);
  for await (const records of xlsbRecords(archive.bytes(path))) {
    for (const found of records) {
      if (part.isFull(found)) {
        yield { bytes: await around(part.records, styles), formulas: part.formulas };
        part = part.next();
      }
      part.add(found);
    }
  }
  if (!part.has_ended) throw damaged(say`a sheet ends too early`);
  yield { bytes: await around(part.records, styles), formulas: part.formulas };
}

const package_types = 'http://schemas.openxmlformats.org/package/2006/content-types';
const content_types =
  `<?xml version="1.0"?><Types xmlns="${package_types}">` +
  [
    ['workbook', 'sheet.binary.macroEnabled.main'],
    ['worksheets/sheet1', 'worksheet'],
    ['styles', 'styles'],
  ]
    .map(([part, type]) => `<Override PartName="/xl/${part}.bin" ContentType="application/vnd.ms-excel.${type}"/>`)
    .join('') +
  '</Types>';
const book_bin = Buffer.concat([
  xlsbRecord(record.begin_book),
  xlsbRecord(record.begin_sheets),
  xlsbRecord(record.sheet, uint32(0), uint32(1), textBytes('r1'), textBytes('S')),
  xlsbRecord(record.end_sheets),
  xlsbRecord(record.end_book),
]);

async function around(cells: readonly Buffer[], styles: Buffer): Promise<Buffer> {
  const sheet = Buffer.concat([
    xlsbRecord(record.begin_sheet),
    xlsbRecord(record.begin_cells),
    ...cells,
    xlsbRecord(record.end_cells),
    xlsbRecord(record.end_sheet),
  ]);
  const parts = {
    '[Content_Types].xml': Buffer.from(content_types),
    'xl/workbook.bin': book_bin,
    'xl/worksheets/sheet1.bin': sheet,
    'xl/styles.bin': styles,
  };
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(content, path, { compress: false });
  zip.end();
  return buffer(zip.outputStream);
}

/** What a cell has of column, style and value, by the type of its record. */
const least_bytes: Record<number, number> = {
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
/** Where the text begins in those that have one. */
const text_places: Record<number, number> = { 6: 8, 8: 8, 62: 9 };
const last_column = 16_383;
const last_row = 1_048_575;

/** Records of rows and cells; of all others, such as links that lie over millions of cells, none. */
class Part {
  readonly records: Buffer[] = [];
  readonly formulas = new Set<number>();
  has_ended = false;
  #has_begun = false;
  #row = -1;
  #column = -1;
  #cells = 0;
  #bytes = 0;
  readonly #texts: readonly string[];
  readonly #limits: ReadLimits;
  /** Of all parts: a text that stands in the file once may stand in a million cells, of a single row too. */
  readonly #count: TextCount;

  constructor(texts: readonly string[], limits: ReadLimits, count = new TextCount(limits)) {
    this.#texts = texts;
    this.#limits = limits;
    this.#count = count;
  }

  /** Whether this record begins a row, and there are enough before it. */
  isFull({ type }: XlsbRecord): boolean {
    const has_room = this.#cells < most_of_a_piece.cells && this.#bytes < most_of_a_piece.bytes;
    return type === record.row && !has_room;
  }

  /** The one that goes on where this has ended. */
  next(): Part {
    const part = new Part(this.#texts, this.#limits, this.#count);
    part.#has_begun = true;
    part.#row = this.#row;
    return part;
  }

  add(found: XlsbRecord): void {
    const { type } = found;
    if (type === record.begin_cells) this.#has_begun = true;
    if (type === record.end_cells) this.has_ended = true;
    if (!this.#has_begun || this.has_ended) return;
    if (type === record.row) this.#addRow(found);
    else if ((type > record.blank && type <= record.last_short) || type === record.rich_text) this.#addCell(found);
    else if (type === record.blank) this.#column = columnOf(found);
  }

  #addRow({ content, bytes }: XlsbRecord): void {
    const row = content.length < 4 ? -1 : content.readUInt32LE(0);
    if (row <= this.#row || row > last_row) throw damaged(say`its rows are not in order`);
    this.#row = row;
    this.#column = -1;
    this.records.push(bytes);
  }

  /** A short one stands behind the cell before it, and does not say where. */
  #addCell(found: XlsbRecord): void {
    const { type, content, bytes } = found;
    const is_short = type >= record.short_blank && type <= record.last_short;
    this.#column = is_short ? this.#column + 1 : columnOf(found);
    if (this.#row < 0 || this.#column > last_column) throw damaged(say`its cells are not in order`);
    if (type === record.short_blank) return;
    if (type >= record.first_formula && type <= record.last_formula) {
      this.formulas.add(cellKey(this.#row, this.#column));
    }
    const cell = this.#written(type, content, bytes);
    this.records.push(cell);
    this.#cells++;
    this.#bytes += cell.length;
  }

  /** As Excel writes a cell that says itself where it is and which text it has. */
  #written(type: number, content: Buffer, bytes: Buffer): Buffer {
    const is_short = type >= record.short_blank && type <= record.last_short;
    if (is_short) {
      const long_type = type - record.short_blank + record.blank;
      const long = Buffer.concat([uint32(this.#column), content]);
      return this.#written(long_type, long, xlsbRecord(long_type, long));
    }
    if (content.length < (least_bytes[type] ?? 0)) throw damaged(say`a cell of it ends too early`);
    if (text_places[type] !== undefined) textAt(content, text_places[type]); // the package would read on
    if (type !== record.named_text) return bytes;
    const text = this.#texts[content.readUInt32LE(8)];
    if (text === undefined) throw damaged(say`a cell has a text that is not there`);
    refuseText(text, this.#row + 1, this.#column, this.#limits);
    this.#count.addText(this.#row + 1, text.length);
    return xlsbRecord(record.text, content.subarray(0, 8), textBytes(text));
  }
}

function columnOf({ content }: XlsbRecord): number {
  if (content.length < 8) throw damaged(say`a cell of it ends too early`);
  return content.readUInt32LE(0);
}
