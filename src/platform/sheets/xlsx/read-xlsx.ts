/** Rows of a workbook, read while its sheet is unpacked: of the sheet, only what one piece holds is in memory. */
import { say } from '../../../contract/languages/text.ts';
import { type FoundCell, numberCell, rowOf, textCell } from '../cells/found-cell.ts';
import type { NumberFormat } from '../cells/number-formats.ts';
import { chooseSheet } from '../model/choose-sheet.ts';
import { damaged } from '../model/error.ts';
import { columnOf, rowOf as rowOfReference } from '../model/letters.ts';
import { refuseEmptyCells, refuseRow, refuseSharedText, refuseWrittenText } from '../model/too-much.ts';
import type { ReadLimits, Row, TableInfo } from '../model/types.ts';
import { SheetMarks } from '../sheet-marks.ts';
import type { Archive } from '../xml/archive.ts';
import { attribute, unescapeCharacters, type XmlHandler, XmlReader } from '../xml/xml.ts';
import { readProperties, readStyles, readWorkbook } from './workbook.ts';

const lastRow = 1_048_576;
const longestShownChars = 20;
const isTrue = new Set(['1', 'true']);

export interface Table {
  info: TableInfo;
  /** In groups as large as they come. */
  groups: AsyncIterable<Row[]>;
  /** Filled while the rows are read; a csv file has none. */
  marks?: SheetMarks;
}

/**
 * @param mainPart the part that names all others
 * @param sheet its name; by default the first that is visible
 */
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
    if (handler.rows.length > 0) yield handler.takeRows();
  }
  reader.end();
  yield handler.takeRows();
}

/** The texts that cells name by number. */
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
      const taken = text.take();
      chars += taken.length;
      refuseSharedText(chars, texts.length, limits);
      texts.push(taken);
    },
    text(piece) {
      text.text(piece);
    },
  });
  for await (const piece of archive.pieces(path)) reader.write(piece);
  reader.end();
  return texts;
}

/** The text of a cell with all its runs, without how it is pronounced. */
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

  take(): string {
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
  #cells: FoundCell[] = [];
  #column = -1;
  #type: string | undefined;
  #style = 0;
  #value = '';
  #isValue = false;
  #isFormula = false;
  #isInData = false;
  /** How deep within what other programs may add to a cell or row, and know alone. */
  #extensions = 0;
  #emptyCells = 0;

  constructor(styles: NumberFormat[], texts: string[], from1904: boolean, limits: ReadLimits) {
    this.#styles = styles;
    this.#texts = texts;
    this.#from1904 = from1904;
    this.#limits = limits;
    this.#inline = new TextCollector(limits);
  }

  takeRows(): Row[] {
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
    if (Number.isNaN(row)) throw damaged(say`a row has the number “${written!.slice(0, longestShownChars)}”`);
    if (row <= this.#row) throw damaged(say`its rows are not in order: row ${row} stands behind row ${this.#row}`);
    if (row > lastRow) throw damaged(say`a row stands behind the last that a sheet can have`);
    this.#row = row;
    if (isTrue.has(attribute(attributes, 'hidden') ?? '')) this.marks.addHidden(row);
    this.#column = -1;
    this.#cells = [];
  }

  /** @param range such as D3:D4 */
  #addMerged(range: string): void {
    const [from = '', to = ''] = range.split(':');
    const column = columnOf(from);
    if (column >= 0) this.marks.addMerged({ column, first: rowOfReference(from), last: rowOfReference(to) });
  }

  #openCell(attributes: string): void {
    const reference = attribute(attributes, 'r');
    const column = reference === undefined ? this.#column + 1 : columnOf(reference);
    if (reference !== undefined && (column < 0 || rowOfReference(reference) !== this.#row)) {
      throw damaged(say`row ${this.#row} has a cell “${reference.slice(0, longestShownChars)}”`);
    }
    if (column <= this.#column) throw damaged(say`the cells of row ${this.#row} are not in order`);
    this.#column = column;
    this.#type = attribute(attributes, 't');
    this.#style = Number(attribute(attributes, 's') ?? 0);
    this.#value = '';
    this.#isFormula = false;
  }

  #closeCell(): void {
    const inline = this.#inline.take();
    const cell = this.#cell(inline) ?? { value: null, text: inline };
    if (this.#isFormula) cell.isFormula = true;
    const isEmpty = cell.value === null || cell.value === '';
    if (this.#isFormula || !isEmpty) this.#cells[this.#column] = cell;
    else refuseEmptyCells(++this.#emptyCells, this.#limits);
  }

  /** @returns undefined for one without a value */
  #cell(inline: string): FoundCell | undefined {
    const value = this.#value;
    switch (this.#type) {
      case 's': {
        if (value === '') return undefined;
        const text = this.#texts[Number(value)];
        if (text === undefined) throw damaged(say`a cell has a text that is not there`);
        return textCell(text);
      }
      case 'inlineStr':
        return textCell(inline);
      case 'str':
        return textCell(unescapeCharacters(value));
      case 'b':
        return value === '' ? undefined : { value: isTrue.has(value.trim()), text: value };
      case 'd':
        return { value: value.trim().replace(/T00:00:00(\.0+)?Z?$/, ''), text: value };
      case 'e':
        return { value: undefined, text: inline || unescapeCharacters(value), code: 'cell_error' };
      default:
        return value === '' ? undefined : numberCell(value, this.#styles[this.#style], this.#from1904);
    }
  }

  #closeRow(): void {
    const row = rowOf(this.#row, this.#cells, this.#limits);
    if (!row) return;
    refuseRow(++this.#rowCount, this.#limits);
    this.rows.push(row);
  }
}
