/** What every reader refuses: a sheet that has more of something than a sheet may have. */
import { say } from '../../../contract/languages/text.ts';
import { SheetError } from './error.ts';
import { columnLetter } from './letters.ts';
import type { ReadLimits, Row } from './types.ts';

/** @param count of the rows so far that have a value */
export function refuseRow(count: number, { rows: limit }: ReadLimits): void {
  if (count > limit) throw new SheetError('too_many_rows', say`The sheet has more than ${limit} rows.`, { limit });
}

/** @param count of the cells so far that have a format and nothing else */
export function refuseEmptyCells(count: number, { empty_cells: limit }: ReadLimits): void {
  if (count <= limit) return;
  const message = say`The sheet has more than ${limit} empty cells with a format. Delete the rows below your data.`;
  throw new SheetError('expands_too_much', message, { limit });
}

/**
 * @param row as a spreadsheet program shows it
 * @param column counted from 0, with a value in it
 */
export function refuseColumn(row: number, column: number, { columns: limit }: ReadLimits): void {
  if (column < limit) return;
  const details = { row, column: columnLetter(column), limit };
  throw new SheetError('too_many_columns', say`The sheet has more than ${limit} columns.`, details);
}

export function refuseText(text: string, row: number, column: number, { cell_chars: limit }: ReadLimits): void {
  if (text.length <= limit) return;
  const details = { row, column: columnLetter(column), limit };
  throw new SheetError('cell_too_long', say`A cell has more than ${limit} characters.`, details);
}

/**
 * A short text takes more memory than its characters do. A thread would be ended when all of them take too much, but a list
 * of millions grows in steps so large that V8 may end the process before it ends the thread.
 */
const charsAroundText = 24;

/**
 * Of texts that a workbook keeps apart from its cells.
 * @param chars of all so far
 * @param count how many they are
 */
export function refuseSharedText(
  chars: number,
  count: number,
  { sharedTextChars: limit, ...limits }: ReadLimits,
): void {
  if (chars + count * charsAroundText <= limit && count <= limits.rows * limits.columns) return;
  throw new SheetError('expands_too_much', say`The workbook has more text than can be read.`, { limit });
}

/**
 * What stands for one character in the XML of a text has at most seven (`_x0000_`); a text with more than these is longer
 * than a cell can have, however it ends. Refused while it is put together: one cell can be as large as the whole part.
 */
const longestWritten = 7;

/** @param written as it stands in the file so far */
export function refuseWrittenText(written: string, { cell_chars: limit }: ReadLimits): void {
  if (written.length <= longestWritten * limit) return;
  throw new SheetError('cell_too_long', say`A cell has more than ${limit} characters.`, { limit });
}

/** Counts the texts of a table, in the order of its rows. */
export class TextCount {
  readonly #limits: ReadLimits;
  #row = 0;
  #rowChars = 0;
  #chars = 0;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /** @returns the characters of this row @throws SheetError when it, or all so far, have too many */
  add({ row, cells, problems = [] }: Row): number {
    let chars = 0;
    for (const cell of cells) if (typeof cell === 'string') chars += cell.length;
    for (const { text } of problems) chars += text.length;
    this.addText(row, chars);
    return chars;
  }

  /**
   * @param row as a spreadsheet program shows it
   * @param chars of more text in it
   * @throws SheetError when the row, or all so far, have too many
   */
  addText(row: number, chars: number): void {
    const { row_chars: rowChars, textChars } = this.#limits;
    this.#rowChars = row === this.#row ? this.#rowChars + chars : chars;
    this.#row = row;
    if (this.#rowChars > rowChars) {
      throw new SheetError('cell_too_long', say`A row has more than ${rowChars} characters.`, {
        row,
        limit: rowChars,
      });
    }
    this.#chars += chars;
    if (this.#chars > textChars) throw tooMuchText(textChars);
  }
}

/**
 * Of the cells that are taken apart together, because their rows are not in order: a short text can stand in all of them.
 * @param bytes of all so far
 */
export function refusePiece(bytes: number): void {
  if (bytes > longestPieceBytes) throw tooMuchText(longestPieceBytes);
}

const longestPieceBytes = 64 * 1024 * 1024;

function tooMuchText(limit: number): SheetError {
  return new SheetError('expands_too_much', say`The sheet has more than ${limit} characters of text.`, { limit });
}
