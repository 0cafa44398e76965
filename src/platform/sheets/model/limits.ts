/** Limits shared by all readers. */
import { t } from '../../../contract/languages/text.ts';
import { SheetError } from './error.ts';
import { columnLetter } from './letters.ts';
import type { ReadLimits, Row } from './types.ts';

/** @param count of nonempty rows so far */
export function refuseRow(count: number, { rows: limit }: ReadLimits): void {
  if (count > limit) throw new SheetError('too_many_rows', t`The sheet has more than ${limit} rows.`, { limit });
}

/** @param count of cells so far that have only a format */
export function refuseEmptyCells(count: number, { empty_cells: limit }: ReadLimits): void {
  if (count <= limit) return;
  const message = t`The sheet has more than ${limit} empty cells with a format. Delete the rows below your data.`;
  throw new SheetError('expands_too_much', message, { limit });
}

/** @param row as displayed by a spreadsheet @param column counted from 0 */
export function refuseColumn(row: number, column: number, { columns: limit }: ReadLimits): void {
  if (column < limit) return;
  const details = { row, column: columnLetter(column), limit };
  throw new SheetError('too_many_columns', t`The sheet has more than ${limit} columns.`, details);
}

export function refuseText(text: string, row: number, column: number, { cell_chars: limit }: ReadLimits): void {
  if (text.length <= limit) return;
  const details = { row, column: columnLetter(column), limit };
  throw new SheetError('cell_too_long', t`A cell has more than ${limit} characters.`, details);
}

/** A short text's memory overhead, in characters. A list of millions grows in steps in which V8 may kill the process. */
const charsAroundText = 24;

/** Of shared strings. @param chars of all so far @param count of all so far */
export function refuseSharedText(
  chars: number,
  count: number,
  { sharedTextChars: limit, ...limits }: ReadLimits,
): void {
  if (chars + count * charsAroundText <= limit && count <= limits.rows * limits.columns) return;
  throw new SheetError('expands_too_much', t`The workbook has more text than can be read.`, { limit });
}

/** A character takes at most seven in XML (`_x0000_`). Checked while reading, because one cell can fill the whole part. */
const maxWritten = 7;

/** @param written as encoded in the file so far */
export function refuseWrittenText(written: string, { cell_chars: limit }: ReadLimits): void {
  if (written.length <= maxWritten * limit) return;
  throw new SheetError('cell_too_long', t`A cell has more than ${limit} characters.`, { limit });
}

/** Counts the texts of a table, row by row. */
export class TextCount {
  readonly #limits: ReadLimits;
  #row = 0;
  #rowChars = 0;
  #chars = 0;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /** @returns the characters of this row @throws SheetError when the row or the total exceeds its limit */
  add({ row, cells, problems = [] }: Row): number {
    let chars = 0;
    for (const cell of cells) if (typeof cell === 'string') chars += cell.length;
    for (const { text } of problems) chars += text.length;
    this.addText(row, chars);
    return chars;
  }

  /**
   * @param row as displayed by a spreadsheet
   * @throws SheetError when the row or the total exceeds its limit
   */
  addText(row: number, chars: number): void {
    const { row_chars: rowChars, textChars } = this.#limits;
    this.#rowChars = row === this.#row ? this.#rowChars + chars : chars;
    this.#row = row;
    if (this.#rowChars > rowChars) {
      throw new SheetError('cell_too_long', t`A row has more than ${rowChars} characters.`, {
        row,
        limit: rowChars,
      });
    }
    this.#chars += chars;
    if (this.#chars > textChars) throw tooMuchText(textChars);
  }
}

/** Limits cells that are parsed together because their rows are out of order: a shared text can occur in all of them. */
export function refusePiece(bytes: number): void {
  if (bytes > maxPieceBytes) throw tooMuchText(maxPieceBytes);
}

const maxPieceBytes = 64 * 1024 * 1024;

function tooMuchText(limit: number): SheetError {
  return new SheetError('expands_too_much', t`The sheet has more than ${limit} characters of text.`, { limit });
}
