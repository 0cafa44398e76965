/** A table of an OpenDocument spreadsheet (ODF 1.3, part 3), in which rows and cells may be repeated thousand million times. */
import { say } from '../../../contract/languages/text.ts';
import { isoOfSerial, serialOfIso } from '../cells/dates.ts';
import { booleanCell, type FoundCell, numberCell, rowOf, textCell } from '../cells/found-cell.ts';
import { type NumberFormat, percentText } from '../cells/number-formats.ts';
import { damaged } from '../model/error.ts';
import { refuseColumn, refuseText } from '../model/too-much.ts';
import type { ReadLimits, Row } from '../model/types.ts';
import { SheetMarks } from '../sheet-marks.ts';
import { attribute, type XmlHandler } from '../xml/xml.ts';
import { OdsText } from './ods-text.ts';

/** Rows that are the same. */
export interface RepeatedRow {
  /** The first of them. */
  row: Row;
  times: number;
}

/** What numbers are, by the styles of cells and days. */
interface OdsFormats {
  byStyle: ReadonlyMap<string, NumberFormat>;
  from1904: boolean;
}

const lastRow = 1_048_576;
const hidden = new Set(['collapse', 'filter']);
/** What may stand in a cell and has texts of its own. */
const apart = new Set(['annotation', 'frame', 'note', 'ruby-text', 'table']);

interface Cell {
  attributes: string;
  text: OdsText;
  /** A cell under one that is laid over it. */
  isCovered: boolean;
}

/** Hears `content.xml`. */
export class OdsTable implements XmlHandler {
  readonly #place: number;
  readonly #formats: OdsFormats;
  readonly #limits: ReadLimits;
  readonly marks = new SheetMarks();
  #rows: RepeatedRow[] = [];
  #cells: FoundCell[] = [];
  readonly #open: string[] = [];
  /** How deep the element stands that is not looked into; 0 for none. */
  #apart = 0;
  #tables = -1;
  #isInside = false;
  /** The style of each column. */
  readonly #columns: (string | undefined)[] = [];
  #row = 0;
  #times = 1;
  #column = 0;
  #cell: Cell | undefined;

  /** @param place of the table in the document */
  constructor(place: number, formats: OdsFormats, limits: ReadLimits) {
    this.#place = place;
    this.#formats = formats;
    this.#limits = limits;
  }

  takeRows(): RepeatedRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: string): void {
    const parent = this.#open.at(-1);
    this.#open.push(name);
    if (name === 'table' && parent === 'spreadsheet') this.#isInside = ++this.#tables === this.#place;
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
    else if (name === 'table') this.#isInside = false;
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
        const { byStyle, from1904 } = this.#formats;
        const format = byStyle.get(attribute(attributes, 'style-name') ?? this.#columns[at] ?? '');
        const cell = foundCell(attributes, type, text, (number, usual) =>
          numberCell(number, format ?? usual, from1904),
        );
        this.#cells[at] = { ...cell, isFormula };
      }
    }
    this.#column += times;
  }

  #closeRow(): void {
    const row = rowOf(this.#row + 1, this.#cells, this.#limits);
    if (row) this.#rows.push({ row, times: this.#times });
    if (this.#cells.length > 0 && this.#row + this.#times > lastRow) {
      throw damaged(say`a row stands behind the last that a sheet can have`);
    }
    this.#cells = [];
    this.#row += this.#times;
    this.#times = 1;
  }
}

/** Years and months of it have no length, so there are none. */
const duration =
  /^(P(?:0{1,6}Y)?(?:0{1,6}M)?(?:\d{1,6}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}(?:\.\d{1,9})?S)?)?)$/;

/**
 * For each type, where its value stands, and how it is written. What the pattern catches is the value: a date has no time
 * zone in a spreadsheet, so one that is written behind it (SheetJS ends all dates with Z) says nothing.
 */
const values = new Map<string, readonly [name: string, pattern: RegExp]>([
  ['float', ['value', /^([-+]?\d[\d.eE+-]{0,30})$/]],
  ['currency', ['value', /^([-+]?\d[\d.eE+-]{0,30})$/]],
  ['percentage', ['value', /^([-+]?\d[\d.eE+-]{0,30})$/]],
  ['boolean', ['boolean-value', /^(true|false)$/]],
  ['date', ['date-value', /^(\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?)(?:Z|[-+]\d\d:\d\d)?$/]],
  ['time', ['time-value', duration]],
]);

/**
 * A value that is not written as it should be is a text: what stands there is shown to whoever has to mend it.
 * @param numberOf gives what a number means, with the format that it usually has
 */
function foundCell(
  attributes: string,
  type = 'string',
  text = '',
  numberOf: (number: number, usual?: NumberFormat) => FoundCell,
): FoundCell {
  const [name, pattern] = values.get(type) ?? ['string-value', undefined];
  const written = attribute(attributes, name);
  if (!pattern) return textCell(written ?? text);
  const value = pattern.exec(written ?? '')?.[1];
  if (value === undefined) return textCell(text || (written ?? ''));
  switch (type) {
    case 'boolean':
      return booleanCell(value === 'true');
    case 'percentage':
      return textCell(percentText(Number(value)));
    case 'date':
      return textCell(dayOf(value) ?? (text || value));
    case 'time':
      return numberOf(inSeconds(value) / 86_400, { kind: 'date' });
    default:
      return numberOf(Number(value));
  }
}

/** No workbook counts days before it. */
const firstDay = '1900-01-01';

/** @returns undefined for a day that there is not */
function dayOf(value: string): string | undefined {
  if (value < firstDay) return value;
  const serial = serialOfIso(value.slice(0, '2026-03-02T08:30:00.000'.length));
  return serial === undefined ? undefined : isoOfSerial(serial);
}

function inSeconds(value: string): number {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/.exec(value) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

function repeated(attributes: string, name: string): number {
  const times = Number(attribute(attributes, name) ?? 1);
  return Number.isSafeInteger(times) && times > 0 && times <= 2 ** 31 ? times : 1;
}
