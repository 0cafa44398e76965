/**
 * Rows of the workbooks that are none of our own kind (xls, xlsb, ods). What a cell holds in them, the package xlsx
 * knows; it holds a whole file in memory, and much more of some files than their size tells. So it never sees the file:
 * it gets the table in pieces, put together anew from what a cell needs, and each is forgotten before the next.
 *
 * The package is loaded by the first such workbook, so threads that read others do without.
 */
import type { CellObject, ParsingOptions } from 'xlsx';
import { say } from '../../../contract/languages/text.ts';
import { formatOf, type NumberFormat, numberValue } from '../cells/number-formats.ts';
import { damaged } from '../model/error.ts';
import { restore } from '../model/neutral.ts';
import { refuseColumn, refuseRow, refuseText } from '../model/too-much.ts';
import type { Cell, CellProblem, CellProblemCode, ReadLimits, Row } from '../model/types.ts';

/** More make it no faster, and take more memory. */
export const mostOfAPiece = { cells: 50_000, bytes: 4 * 1024 * 1024 };

export interface Piece {
  /** A file of its kind, with a single sheet. */
  bytes: Buffer;
  /** The cells that have a formula, by their `cellKey`: the package is not asked to understand formulas. */
  formulas: ReadonlySet<number>;
  /** For each row of the piece, where it stands in the table, and how many times; by default, where it stands, once. */
  places?: readonly Place[];
}

export interface Place {
  /** Counted from 0. */
  row: number;
  times: number;
}

/** @param row in the piece; like the column, counted from 0 */
export function cellKey(row: number, column: number): number {
  return row * 16_384 + column;
}

/** @returns rows in groups as large as they come */
export async function* readPieces(
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  from1904: boolean,
  limits: ReadLimits,
): AsyncGenerator<Row[]> {
  const formats = new Map<string, NumberFormat>();
  let rowCount = 0;
  for await (const piece of pieces) {
    for (const [number, found] of (await cellsOf(piece)).entries()) {
      if (!found) continue;
      const { row, times } = piece.places?.[number] ?? { row: number, times: 1 };
      const content = new RowContent(row, limits);
      found.forEach((cell, column) => {
        const isFormula = piece.formulas.has(cellKey(number, column));
        const format = formatIn(formats, cell);
        const value = dataOf(cell, format, from1904);
        if (value === undefined) content.addProblem({ column, code: codeOf(cell, format), text: textOf(cell) });
        else if (isFormula) content.addProblem({ column, code: 'formula', text: textOf(cell), value });
        else content.add(column, value);
      });
      for (const rows of content.rows(times)) {
        rowCount += rows.length;
        refuseRow(rowCount, limits);
        yield rows;
      }
    }
  }
}

/** All but the values and their formats is left out: it costs time and memory, or makes HTML of texts. */
const options: ParsingOptions = {
  type: 'buffer',
  dense: true,
  sheets: 0,
  cellNF: true,
  cellText: false,
  cellHTML: false,
  cellFormula: false,
  cellStyles: false,
  cellDates: false,
  bookVBA: false,
};

/** @returns the rows, with gaps */
async function cellsOf({ bytes }: Piece): Promise<(CellObject[] | undefined)[]> {
  const { read } = await import('xlsx');
  let cells: CellObject[][] | undefined;
  try {
    const { Sheets, SheetNames } = read(bytes, options);
    cells = Sheets[SheetNames[0] ?? '']?.['!data'];
  } catch (error) {
    throw damaged(say`its cells can't be read`, error);
  }
  if (!cells) throw damaged(say`its cells can't be read`); // the package keeps some errors to itself
  return cells;
}

const number: NumberFormat = { kind: 'number' };

function formatIn(formats: Map<string, NumberFormat>, { t, z }: CellObject): NumberFormat {
  if (t !== 'n' || typeof z !== 'string') return number;
  const format = formats.get(z) ?? formatOf(z);
  formats.set(z, format);
  return format;
}

/** @returns undefined when it can't be taken as data */
function dataOf({ t, v }: CellObject, format: NumberFormat, from1904: boolean): Cell | undefined {
  switch (t) {
    case 's':
      return restore(String(v ?? ''));
    case 'b':
      return v === true;
    case 'n':
      return numberValue(String(v), format, from1904);
    case 'e':
      return undefined;
    default:
      return null;
  }
}

function codeOf({ t }: CellObject, format: NumberFormat): CellProblemCode {
  if (t === 'e') return 'cell_error';
  return format.kind === 'date' ? 'date_out_of_range' : 'not_finite';
}

/** [MS-XLS] 2.5.10 */
const errors = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);

/** As a workbook of our own kind would have it. */
function textOf({ t, v }: CellObject): string {
  if (t === 'e') return errors.get(Number(v)) ?? '#VALUE!';
  return t === 'b' ? String(Number(v)) : String(v ?? '');
}

class RowContent {
  readonly #row: number;
  readonly #limits: ReadLimits;
  readonly #cells: Cell[] = [];
  readonly #problems: CellProblem[] = [];

  /** @param row counted from 0 */
  constructor(row: number, limits: ReadLimits) {
    this.#row = row;
    this.#limits = limits;
  }

  add(column: number, value: Cell): void {
    if (value === null || value === '') return;
    if (typeof value === 'string') refuseText(value, this.#row + 1, column, this.#limits);
    refuseColumn(this.#row + 1, column, this.#limits);
    while (this.#cells.length < column) this.#cells.push(null);
    this.#cells.push(value);
  }

  addProblem(problem: CellProblem): void {
    refuseColumn(this.#row + 1, problem.column, this.#limits);
    this.#problems.push(problem);
  }

  /** In groups, as one row can stand in a sheet a million times. */
  *rows(times: number): Generator<Row[]> {
    if (this.#cells.length === 0 && this.#problems.length === 0) return;
    const problems = this.#problems.length > 0 && { problems: this.#problems };
    for (let from = 0; from < times; from += rowsAGroup) {
      const length = Math.min(rowsAGroup, times - from);
      yield Array.from({ length }, (_, at) => {
        return { row: this.#row + from + at + 1, cells: [...this.#cells], ...problems };
      });
    }
  }
}

const rowsAGroup = 500;
