/**
 * Reads xls, xlsb, and ods workbooks with the xlsx package, which knows how to interpret their cells. The package holds a whole
 * file in memory, sometimes many times its size. So it never gets the file, only chunks of the table rebuilt with what cells
 * need, one at a time.
 *
 * The package is loaded with the first such workbook, so threads that read other formats don't need it.
 */
import type { CellObject, ParsingOptions } from 'xlsx';
import { t } from '../../../contract/languages/text.ts';
import { formatOf, type NumberFormat, numberValue } from '../cells/number-formats.ts';
import { damaged } from '../model/error.ts';
import { restore } from '../model/formula-escape.ts';
import { refuseColumn, refuseRow, refuseText } from '../model/limits.ts';
import type { Cell, CellProblem, CellProblemCode, ReadLimits, Row } from '../model/types.ts';

/** Larger chunks aren't faster, and take more memory. */
export const pieceLimits = { cells: 50_000, bytes: 4 * 1024 * 1024 };

export interface Piece {
  /** A file of its format with a single sheet. */
  bytes: Buffer;
  /** The `cellKey` of cells with formulas, which the package doesn't parse. */
  formulas: ReadonlySet<number>;
  /** The position and repetition of each row of the chunk; default: its own position, once. */
  positions?: readonly RowPosition[];
}

export interface RowPosition {
  /** Counted from 0. */
  row: number;
  times: number;
}

/** @param row in the chunk; row and column are counted from 0 */
export function cellKey(row: number, column: number): number {
  return row * 16_384 + column;
}

/** @returns rows grouped by chunk */
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
      const { row, times } = piece.positions?.[number] ?? { row: number, times: 1 };
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

/** Skips everything but values and formats, which would cost time and memory, or turn texts into HTML. */
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

/** @returns a sparse array of rows */
async function cellsOf({ bytes }: Piece): Promise<(CellObject[] | undefined)[]> {
  const { read } = await import('xlsx');
  let cells: CellObject[][] | undefined;
  try {
    const { Sheets, SheetNames } = read(bytes, options);
    cells = Sheets[SheetNames[0] ?? '']?.['!data'];
  } catch (error) {
    throw damaged(t`its cells can't be read`, error);
  }
  if (!cells) throw damaged(t`its cells can't be read`); // the package swallows some errors
  return cells;
}

const number: NumberFormat = { kind: 'number' };

function formatIn(formats: Map<string, NumberFormat>, { t, z }: CellObject): NumberFormat {
  if (t !== 'n' || typeof z !== 'string') return number;
  const format = formats.get(z) ?? formatOf(z);
  formats.set(z, format);
  return format;
}

/** @returns undefined when it isn't usable as data */
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

/** As stored in an xlsx workbook. */
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

  /** In groups, because a row can be repeated a million times. */
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
