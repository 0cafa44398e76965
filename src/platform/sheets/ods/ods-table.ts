/** Rewrites an OpenDocument table (ODF 1.3, part 3) in chunks: repeated rows and cells once, cells only with text or value. */
import { t } from '../../../contract/languages/text.ts';
import { percentText } from '../cells/number-formats.ts';
import { damaged } from '../model/error.ts';
import { refuseColumn, refuseText } from '../model/limits.ts';
import type { ReadLimits } from '../model/types.ts';
import { SheetMarks } from '../sheet-marks.ts';
import { cellKey, type Piece, pieceLimits, type RowPosition } from '../xlsx/read-by-xlsx.ts';
import { attribute, type XmlHandler } from '../xml/xml.ts';
import { xmlText } from '../xml/xml-text.ts';
import { OdsText } from './ods-text.ts';

interface OdsStyles {
  xml: string;
  /** Names in `xml` of the document's styles; other styles don't affect values. */
  names: ReadonlyMap<string, string>;
}

const lastRow = 1_048_575;
const hidden = new Set(['collapse', 'filter']);
/** Elements in a cell that have texts of their own. */
const apart = new Set(['annotation', 'frame', 'note', 'ruby-text', 'table']);

interface Cell {
  attributes: string;
  text: OdsText;
  /** Covered by a merged cell. */
  isCovered: boolean;
}

/** Handles `content.xml`. */
export class OdsTable implements XmlHandler {
  readonly #tableIndex: number;
  readonly #styles: OdsStyles;
  readonly #limits: ReadLimits;
  readonly marks = new SheetMarks();
  #pieces: Piece[] = [];
  #part = new Part();
  readonly #open: string[] = [];
  /** Depth of the element being skipped; 0 for none. */
  #apart = 0;
  #tables = -1;
  #isInside = false;
  /** The style of each column. */
  readonly #columns: (string | undefined)[] = [];
  #row = 0;
  #times = 1;
  #column = 0;
  #cell: Cell | undefined;

  /** @param position index of the table in the document */
  constructor(position: number, styles: OdsStyles, limits: ReadLimits) {
    this.#tableIndex = position;
    this.#styles = styles;
    this.#limits = limits;
  }

  drainPieces(): Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  open(name: string, attributes: string): void {
    const parent = this.#open.at(-1);
    this.#open.push(name);
    if (name === 'table' && parent === 'spreadsheet') this.#isInside = ++this.#tables === this.#tableIndex;
    else if (!this.#isInside || this.#apart > 0) return;
    else if (apart.has(name)) this.#apart = this.#open.length;
    else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#cell = { attributes, text: new OdsText(), isCovered: name !== 'table-cell' };
    } else if (this.#cell) this.#openInCell(this.#cell.text, name, attributes, parent);
    else if (name === 'table-row') {
      this.#times = repeated(attributes, 'number-rows-repeated');
      this.#column = 0;
      if (hidden.has(attribute(attributes, 'visibility') ?? '')) this.marks.addHidden(this.#row + 1);
    } else if (name === 'table-column') this.#addColumns(attributes);
  }

  close(name: string): void {
    const depth = this.#open.length;
    this.#open.pop();
    if (this.#apart === depth) this.#apart = 0;
    else if (!this.#isInside || this.#apart > 0) return;
    else if (this.#cell && (name === 'table-cell' || name === 'covered-table-cell')) this.#closeCell(this.#cell);
    else if (name === 'p' && this.#open.at(-1) === 'table-cell') this.#cell?.text.closeParagraph();
    else if (name === 'table-row') this.#closeRow();
    else if (name === 'table') this.#closeTable();
  }

  text(text: string): void {
    if (!this.#cell || this.#apart > 0) return;
    this.#cell.text.add(text);
    refuseText(this.#cell.text.text, this.#row + 1, this.#column, this.#limits);
  }

  #openInCell(text: OdsText, name: string, attributes: string, parent: string | undefined): void {
    if (name === 'p' && parent === 'table-cell') text.openParagraph();
    else text.addElement(name, attributes, this.#limits.cell_chars);
    refuseText(text.text, this.#row + 1, this.#column, this.#limits);
  }

  #addColumns(attributes: string): void {
    const style = attribute(attributes, 'default-cell-style-name');
    const times = Math.min(repeated(attributes, 'number-columns-repeated'), this.#limits.columns);
    if (this.#columns.length < this.#limits.columns) this.#columns.push(...Array(times).fill(style));
  }

  #closeCell({ attributes, text: { text }, isCovered }: Cell): void {
    this.#cell = undefined;
    const times = repeated(attributes, 'number-columns-repeated');
    const type = attribute(attributes, 'office:value-type') ?? attribute(attributes, 'value-type');
    const isFormula = attribute(attributes, 'formula') !== undefined;
    const rows = repeated(attributes, 'number-rows-spanned');
    this.marks.addMerged({ column: this.#column, first: this.#row + 1, last: this.#row + rows });
    const isEmpty = isCovered || (type === undefined && text === '' && !isFormula);
    if (!isEmpty) {
      refuseColumn(this.#row + 1, this.#column + times - 1, this.#limits);
      for (let at = this.#column; at < this.#column + times; at++) {
        const style = this.#styles.names.get(attribute(attributes, 'style-name') ?? this.#columns[at] ?? '');
        this.#part.addCell(at, cellXml(attributes, type, text, style), isFormula);
      }
    }
    this.#column += times;
  }

  #closeRow(): void {
    if (this.#part.addRow({ row: this.#row, times: this.#times }) && this.#row + this.#times - 1 > lastRow) {
      throw damaged(t`a row is beyond the last row that a sheet can have`);
    }
    this.#row += this.#times;
    this.#times = 1;
    if (this.#part.isFull) this.#flushPart();
  }

  #closeTable(): void {
    this.#isInside = false;
    this.#flushPart();
  }

  #flushPart(): void {
    this.#pieces.push(this.#part.piece(this.#styles.xml));
    this.#part = new Part();
  }
}

/** A chunk of rewritten rows. */
class Part {
  readonly #formulas = new Set<number>();
  readonly #positions: RowPosition[] = [];
  #xml = '';
  #cells = 0;
  #rowXml = '';
  #column = 0;

  get isFull(): boolean {
    return this.#cells >= pieceLimits.cells || this.#xml.length >= pieceLimits.bytes;
  }

  addCell(column: number, xml: string, isFormula: boolean): void {
    const gap = column - this.#column;
    if (gap > 0) this.#rowXml += `<table-cell number-columns-repeated="${gap}"/>`;
    if (isFormula) this.#formulas.add(cellKey(this.#positions.length, column));
    this.#rowXml += xml;
    this.#column = column + 1;
    this.#cells++;
  }

  /** @returns false for a row without cells, which is omitted */
  addRow(position: RowPosition): boolean {
    const hasCells = this.#rowXml !== '';
    if (hasCells) {
      this.#positions.push(position);
      this.#xml += `<table-row>${this.#rowXml}</table-row>`;
    }
    this.#rowXml = '';
    this.#column = 0;
    return hasCells;
  }

  piece(stylesXml: string): Piece {
    const xml = `<?xml version="1.0"?><document>${stylesXml}<table name="S">${this.#xml}</table></document>`;
    return { bytes: Buffer.from(xml), formulas: this.#formulas, positions: this.#positions };
  }
}

/** Years and months must be zero, because their length isn't defined. */
const duration =
  /^(P(?:0{1,6}Y)?(?:0{1,6}M)?(?:\d{1,6}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}(?:\.\d{1,9})?S)?)?)$/;

/** By type: attribute and pattern of the value. Ignores a time zone after dates, which have none (SheetJS appends Z). */
const values = new Map<string, readonly [name: string, pattern: RegExp]>([
  ['float', ['value', /^([-+]?\d[\d.eE+-]{0,30})$/]],
  ['currency', ['value', /^([-+]?\d[\d.eE+-]{0,30})$/]],
  ['percentage', ['value', /^([-+]?\d[\d.eE+-]{0,30})$/]],
  ['boolean', ['boolean-value', /^(true|false)$/]],
  ['date', ['date-value', /^(\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?)(?:Z|[-+]\d\d:\d\d)?$/]],
  ['time', ['time-value', duration]],
]);

/** Serial numbers of earlier days are ambiguous, so those are written as text. */
const firstCountedDay = '1904-01-02';

/** An invalid value becomes a text, so that its author sees it. */
function cellXml(attributes: string, type = 'string', text = '', style?: string): string {
  const [name, pattern] = values.get(type) ?? ['string-value', undefined];
  const written = attribute(attributes, name);
  if (!pattern) return textXml(written ?? text);
  const value = pattern.exec(written ?? '')?.[1];
  if (value === undefined) return textXml(text || (written ?? ''));
  if (type === 'date' && value < firstCountedDay) return textXml(value);
  if (type === 'percentage') return textXml(percentText(Number(value)));
  const named = style === undefined ? '' : ` style-name="${style}"`;
  return `<table-cell${named} value-type="${type}" ${name}="${type === 'time' ? inSeconds(value) : value}"></table-cell>`;
}

/** The package doesn't support days in durations. */
function inSeconds(value: string): string {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/.exec(value) ?? [];
  return `PT${((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)}S`;
}

function textXml(text: string): string {
  return `<table-cell value-type="string" string-value="${xmlText(text)}"/>`;
}

function repeated(attributes: string, name: string): number {
  const times = Number(attribute(attributes, name) ?? 1);
  return Number.isSafeInteger(times) && times > 0 && times <= 2 ** 31 ? times : 1;
}
