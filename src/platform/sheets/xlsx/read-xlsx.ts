/** Reads the rows of an xlsx workbook while unpacking its sheet: only one chunk of the sheet is in memory. */
import { t } from '../../../contract/languages/text.ts';
import { type NumberFormat, numberValue } from '../cells/number-formats.ts';
import { chooseSheet } from '../model/choose-sheet.ts';
import { damaged } from '../model/error.ts';
import { restore } from '../model/formula-escape.ts';
import { columnOf, rowOf } from '../model/letters.ts';
import {
  refuseColumn,
  refuseEmptyCells,
  refuseRow,
  refuseSharedText,
  refuseText,
  refuseWrittenText,
} from '../model/limits.ts';
import type { Cell, CellProblem, CellProblemCode, ReadLimits, Row, TableInfo } from '../model/types.ts';
import { SheetMarks } from '../sheet-marks.ts';
import type { Archive } from '../xml/archive.ts';
import { attribute, unescapeCharacters, type XmlHandler, XmlReader } from '../xml/xml.ts';
import { readProperties, readStyles, readWorkbook } from './workbook.ts';

const number: NumberFormat = { kind: 'number' };
const lastRow = 1_048_576;
const maxExcerptChars = 20;
const isTrue = new Set(['1', 'true']);

export interface Table {
  info: TableInfo;
  /** Grouped by chunk. */
  groups: AsyncIterable<Row[]>;
  /** Filled while rows are read; undefined for csv. */
  marks?: SheetMarks;
}

/** @param mainPart the part that refers to all others @param sheet name; default: the first visible sheet */
export async function readXlsx(
  archive: Archive,
  mainPart: string,
  sheet: string | undefined,
  limits: ReadLimits,
): Promise<Table> {
  const workbook = await readWorkbook(archive, mainPart);
  const { chosen, names } = chooseSheet(workbook.sheets, sheet);
  const info: TableInfo = {
    format: 'xlsx',
    ...names,
    from1904: workbook.from1904,
    properties: await readProperties(archive),
  };
  const styles = await readStyles(archive, workbook.stylesPath);
  const texts = await readSharedTexts(archive, workbook.sharedTextsPath, limits);
  const handler = new SheetHandler(styles, texts, workbook.from1904, limits);
  return { info, groups: readSheet(archive, chosen.path, handler), marks: handler.marks };
}

async function* readSheet(archive: Archive, path: string, handler: SheetHandler): AsyncGenerator<Row[]> {
  const reader = new XmlReader(handler);
  for await (const piece of archive.pieces(path)) {
    reader.write(piece);
    if (handler.rows.length > 0) yield handler.drainRows();
  }
  reader.end();
  yield handler.drainRows();
}

/** The shared texts, which cells refer to by number. */
async function readSharedTexts(archive: Archive, path: string | undefined, limits: ReadLimits): Promise<string[]> {
  const texts: string[] = [];
  if (!path || !archive.has(path)) return texts;
  let chars = 0;
  const text = new TextCollector(limits);
  const reader = new XmlReader({
    open(name) {
      text.open(name);
    },
    close(name) {
      text.close(name);
      if (name !== 'si') return;
      const collected = text.drain();
      chars += collected.length;
      refuseSharedText(chars, texts.length, limits);
      texts.push(collected);
    },
    text(piece) {
      text.text(piece);
    },
  });
  for await (const piece of archive.pieces(path)) reader.write(piece);
  reader.end();
  return texts;
}

/** Collects a cell's text from its runs, without phonetic text. */
class TextCollector {
  readonly #limits: ReadLimits;
  #text = '';
  #isInside = false;
  #pronounced = 0;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  open(name: string): void {
    if (name === 't') this.#isInside = this.#pronounced === 0;
    else if (name === 'rPh') this.#pronounced++;
  }

  close(name: string): void {
    if (name === 't') this.#isInside = false;
    else if (name === 'rPh') this.#pronounced--;
  }

  text(text: string): void {
    if (!this.#isInside) return;
    this.#text += text;
    refuseWrittenText(this.#text, this.#limits);
  }

  drain(): string {
    const text = unescapeCharacters(this.#text);
    this.#text = '';
    return text;
  }
}

class SheetHandler implements XmlHandler {
  readonly #styles: NumberFormat[];
  readonly #texts: string[];
  readonly #from1904: boolean;
  readonly #limits: ReadLimits;
  readonly #inline: TextCollector;
  readonly marks = new SheetMarks();
  rows: Row[] = [];
  #rowCount = 0;
  #row = 0;
  #cells: Cell[] = [];
  #problems: CellProblem[] = [];
  #column = -1;
  #type: string | undefined;
  #style = 0;
  #value = '';
  #isValue = false;
  #isFormula = false;
  #isInData = false;
  /** Nesting depth in extensions of cells and rows, which are skipped. */
  #extensions = 0;
  #emptyCells = 0;

  constructor(styles: NumberFormat[], texts: string[], from1904: boolean, limits: ReadLimits) {
    this.#styles = styles;
    this.#texts = texts;
    this.#from1904 = from1904;
    this.#limits = limits;
    this.#inline = new TextCollector(limits);
  }

  drainRows(): Row[] {
    const rows = this.rows;
    this.rows = [];
    return rows;
  }

  open(name: string, attributes: string): void {
    if (name === 'sheetData') this.#isInData = true;
    else if (name === 'mergeCell') this.#addMerged(attribute(attributes, 'ref') ?? '');
    if (!this.#isInData) return;
    if (name === 'extLst') this.#extensions++;
    if (this.#extensions > 0) return;
    if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') this.#isValue = true;
    else if (name === 'row') this.#openRow(attributes);
    else if (name === 'f') this.#isFormula = true;
    else this.#inline.open(name);
  }

  close(name: string): void {
    if (!this.#isInData) return;
    if (this.#extensions > 0) {
      if (name === 'extLst') this.#extensions--;
      return;
    }
    if (name === 'v') this.#isValue = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
    else if (name === 'sheetData') this.#isInData = false;
    else this.#inline.close(name);
  }

  text(text: string): void {
    if (this.#isValue) {
      this.#value += text;
      refuseWrittenText(this.#value, this.#limits);
    } else if (this.#isInData) this.#inline.text(text);
  }

  #openRow(attributes: string): void {
    const written = attribute(attributes, 'r');
    const row = written === undefined ? this.#row + 1 : /^\s*\d+\s*$/.test(written) ? Number(written) : Number.NaN;
    if (Number.isNaN(row)) throw damaged(t`a row has the number “${written!.slice(0, maxExcerptChars)}”`);
    if (row <= this.#row) throw damaged(t`its rows are out of order: row ${row} comes after row ${this.#row}`);
    if (row > lastRow) throw damaged(t`a row is beyond the last row that a sheet can have`);
    this.#row = row;
    if (isTrue.has(attribute(attributes, 'hidden') ?? '')) this.marks.addHidden(row);
    this.#column = -1;
    this.#cells = [];
    this.#problems = [];
  }

  /** @param range such as D3:D4 */
  #addMerged(range: string): void {
    const [from = '', to = ''] = range.split(':');
    const column = columnOf(from);
    if (column >= 0) this.marks.addMerged({ column, first: rowOf(from), last: rowOf(to) });
  }

  #openCell(attributes: string): void {
    const reference = attribute(attributes, 'r');
    const column = reference === undefined ? this.#column + 1 : columnOf(reference);
    if (reference !== undefined && (column < 0 || rowOf(reference) !== this.#row)) {
      throw damaged(t`row ${this.#row} has a cell “${reference.slice(0, maxExcerptChars)}”`);
    }
    if (column <= this.#column) throw damaged(t`the cells of row ${this.#row} are out of order`);
    this.#column = column;
    this.#type = attribute(attributes, 't');
    this.#style = Number(attribute(attributes, 's') ?? 0);
    this.#value = '';
    this.#isFormula = false;
  }

  #closeCell(): void {
    const text = this.#inline.drain();
    const cell = this.#cell(text);
    if (cell === undefined) this.#problem(text);
    else if (this.#isFormula) this.#problem(text, cell);
    else if (cell !== null && cell !== '') this.#store(cell);
    else refuseEmptyCells(++this.#emptyCells, this.#limits);
  }

  #store(cell: Cell): void {
    if (typeof cell === 'string') refuseText(cell, this.#row, this.#column, this.#limits);
    refuseColumn(this.#row, this.#column, this.#limits);
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells.push(cell);
  }

  /** @returns undefined when it isn't usable as data */
  #cell(inline: string): Cell | undefined {
    switch (this.#type) {
      case 's': {
        if (this.#value === '') return null;
        const text = this.#texts[Number(this.#value)];
        if (text === undefined) throw damaged(t`a cell has a text that is not there`);
        return restore(text);
      }
      case 'inlineStr':
        return restore(inline);
      case 'str':
        return restore(unescapeCharacters(this.#value));
      case 'b':
        return this.#value === '' ? null : this.#value.trim() === '1' || this.#value.trim() === 'true';
      case 'd':
        return this.#value.trim().replace(/T00:00:00(\.0+)?Z?$/, '');
      case 'e':
        return undefined;
      default:
        if (this.#value === '') return null;
        return numberValue(this.#value, this.#styles[this.#style] ?? number, this.#from1904);
    }
  }

  #errorOfNumber(): CellProblemCode {
    if (this.#type === 'e') return 'cell_error';
    return this.#styles[this.#style]?.kind === 'date' ? 'date_out_of_range' : 'not_finite';
  }

  /** @param result of a formula */
  #problem(inline: string, result?: Cell): void {
    refuseColumn(this.#row, this.#column, this.#limits);
    const shared = this.#type === 's' ? this.#texts[Number(this.#value)] : undefined;
    const text = shared ?? (inline || unescapeCharacters(this.#value));
    const isFormula = result !== undefined;
    const code = isFormula ? 'formula' : this.#errorOfNumber();
    this.#problems.push({ column: this.#column, code, text, ...(isFormula && { value: result }) });
  }

  #closeRow(): void {
    if (this.#cells.length === 0 && this.#problems.length === 0) return;
    refuseRow(++this.#rowCount, this.#limits);
    const { length } = this.#problems;
    this.rows.push({ row: this.#row, cells: this.#cells, ...(length > 0 && { problems: this.#problems }) });
  }
}
