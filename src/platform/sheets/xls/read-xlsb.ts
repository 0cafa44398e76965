/** Rows of a binary workbook (xlsb): an archive like that of an xlsx, with records in the place of XML. */
import { say } from '../../../contract/languages/text.ts';
import { booleanCell, errorCell, type FoundCell, numberCell, rowOf, textCell } from '../cells/found-cell.ts';
import { builtInFormat, formatOf, type NumberFormat } from '../cells/number-formats.ts';
import { chooseSheet } from '../model/choose-sheet.ts';
import { damaged } from '../model/error.ts';
import { refuseRow, refuseSharedText, refuseText, TextCount } from '../model/too-much.ts';
import type { ReadLimits, Row } from '../model/types.ts';
import { SheetMarks } from '../sheet-marks.ts';
import type { Table } from '../xlsx/read-xlsx.ts';
import { relationsOf } from '../xlsx/workbook.ts';
import type { Archive } from '../xml/archive.ts';
import { shortNumber, withinRecord } from './records.ts';
import { record, textAt, type XlsbRecord, xlsbRecords } from './xlsb-records.ts';

/**
 * @param mainPart the part that names all others
 * @param sheet its name; by default the first that is visible
 */
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
  const sheetOfBook = new SheetRecords({ styles, texts, from1904: book.from1904 }, limits);
  return {
    info: { format: 'xlsb', ...names, from1904: book.from1904 },
    groups: readRows(archive, chosen.path, sheetOfBook),
    marks: sheetOfBook.marks,
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

/** Of cells; Excel's own limit. */
const mostStyles = 65_490;

/** What the numbers in cells are, by the number of their style; the rest is fonts and colors. */
async function readStyles(archive: Archive, path: string | undefined): Promise<NumberFormat[]> {
  const own = new Map<number, NumberFormat>();
  const used: number[] = [];
  let isOfCells = false;
  for await (const records of path && archive.has(path) ? xlsbRecords(archive.bytes(path)) : []) {
    for (const { type, content } of records) {
      if (type === record.beginStyles) isOfCells = true;
      else if (type === record.endStyles) isOfCells = false;
      else if (type === record.format && content.length >= 2) {
        own.set(content.readUInt16LE(0), formatOf(textAt(content, 2).text));
      } else if (type === record.style && isOfCells && content.length >= 4) {
        used.push(content.readUInt16LE(2));
        if (used.length > mostStyles) throw damaged(say`it has more styles than a workbook can have`);
      }
    }
  }
  return used.map((id) => own.get(id) ?? builtInFormat(id));
}

/** The texts that cells name by number. */
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

async function* readRows(archive: Archive, path: string, sheet: SheetRecords): AsyncGenerator<Row[]> {
  for await (const records of xlsbRecords(archive.bytes(path))) {
    for (const found of records) sheet.add(found);
    yield sheet.takeRows();
  }
  if (!sheet.hasEnded) throw damaged(say`a sheet ends too early`);
}

/** What the flags of a row say when nobody sees it. */
const hiddenRow = 0x10;
const lastColumn = 16_383;
const lastRow = 1_048_575;

/** What cells need of the workbook. */
interface Book {
  styles: readonly NumberFormat[];
  texts: readonly string[];
  from1904: boolean;
}

/** Records of rows and cells; of all others, such as links that lie over millions of cells, none. */
class SheetRecords {
  readonly marks = new SheetMarks();
  hasEnded = false;
  readonly #book: Book;
  readonly #limits: ReadLimits;
  #hasBegun = false;
  #row = -1;
  #column = -1;
  #cells: FoundCell[] = [];
  #rows: Row[] = [];
  #rowCount = 0;
  /** A text that stands in the file once may stand in a million cells, also in one place again and again. */
  readonly #count: TextCount;

  constructor(book: Book, limits: ReadLimits) {
    this.#count = new TextCount(limits);
    this.#book = book;
    this.#limits = limits;
  }

  takeRows(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  add(found: XlsbRecord): void {
    const { type, content } = found;
    if (type === record.merged && content.length >= 16) this.#addMerged(content);
    if (type === record.beginCells) this.#hasBegun = true;
    if (!this.#hasBegun || this.hasEnded) return;
    if (type === record.endCells) {
      this.#closeRow();
      this.hasEnded = true;
    } else if (type === record.row) this.#openRow(content);
    else if ((type >= record.blank && type <= record.lastShort) || type === record.richText) {
      withinRecord(() => this.#addCell(found));
    }
  }

  #addMerged(content: Buffer): void {
    const [first, last, column] = [0, 4, 8].map((at) => content.readUInt32LE(at));
    this.marks.addMerged({ column: column!, first: first! + 1, last: last! + 1 });
  }

  #openRow(content: Buffer): void {
    this.#closeRow();
    const row = content.length < 4 ? -1 : content.readUInt32LE(0);
    if (row <= this.#row || row > lastRow) throw damaged(say`its rows are not in order`);
    this.#row = row;
    this.#column = -1;
    if (content.length >= 12 && (content[11]! & hiddenRow) !== 0) this.marks.addHidden(row + 1);
  }

  #closeRow(): void {
    const row = rowOf(this.#row + 1, this.#cells, this.#limits);
    this.#cells = [];
    if (!row) return;
    refuseRow(++this.#rowCount, this.#limits);
    this.#rows.push(row);
  }

  /** A short one stands behind the cell before it, and does not say where. */
  #addCell({ type, content }: XlsbRecord): void {
    const isShort = type >= record.shortBlank && type <= record.lastShort;
    this.#column = isShort ? this.#column + 1 : content.readUInt32LE(0);
    if (this.#row < 0 || this.#column > lastColumn) throw damaged(say`its cells are not in order`);
    const longType = isShort ? type - record.shortBlank + record.blank : type;
    if (longType !== record.blank) this.#cells[this.#column] = this.#cell(longType, content.subarray(isShort ? 0 : 4));
  }

  /** @param content from its style on */
  #cell(type: number, content: Buffer): FoundCell {
    const { styles, texts, from1904 } = this.#book;
    const number = (value: number) => numberCell(value, styles[content.readUIntLE(0, 3)], from1904);
    switch (type) {
      case record.shortNumber:
        return number(shortNumber(content, 4));
      case record.number:
        return number(content.readDoubleLE(4));
      case record.error:
        return errorCell(content.readUInt8(4));
      case record.boolean:
        return booleanCell(content.readUInt8(4) === 1);
      case record.text:
        return textCell(textAt(content, 4).text);
      case record.richText:
        return textCell(textAt(content, 5).text);
      case record.namedText: {
        const text = texts[content.readUInt32LE(4)];
        if (text === undefined) throw damaged(say`a cell has a text that is not there`);
        refuseText(text, this.#row + 1, this.#column, this.#limits);
        this.#count.addText(this.#row + 1, text.length);
        return textCell(text);
      }
      default:
        return { ...this.#cell(resultTypes[type]!, content), isFormula: true };
    }
  }
}

/** How formulas have their last results, by the type of their record. */
const resultTypes: Record<number, number> = {
  [record.textFormula]: record.text,
  [record.numberFormula]: record.number,
  [record.booleanFormula]: record.boolean,
  [record.errorFormula]: record.error,
};
