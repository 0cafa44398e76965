/** What every reader refuses: a sheet that has more of something than a sheet may have. */
import { SheetError } from './error.ts';
import { columnLetter } from './letters.ts';
import type { ReadLimits, Row } from './types.ts';

/** @param count of the rows so far that have a value */
export function refuseRow(count: number, { rows: limit }: ReadLimits): void {
  if (count > limit) throw new SheetError('too_many_rows', `The sheet has more than ${limit} rows.`, { limit });
}

/**
 * @param row as a spreadsheet program shows it
 * @param column counted from 0, with a value in it
 */
export function refuseColumn(row: number, column: number, { columns: limit }: ReadLimits): void {
  if (column < limit) return;
  const details = { row, column: columnLetter(column), limit };
  throw new SheetError('too_many_columns', `The sheet has more than ${limit} columns.`, details);
}

export function refuseText(text: string, row: number, column: number, { cell_chars: limit }: ReadLimits): void {
  if (text.length <= limit) return;
  const details = { row, column: columnLetter(column), limit };
  throw new SheetError('cell_too_long', `A cell has more than ${limit} characters.`, details);
}

/**
 * Of texts that a workbook keeps apart from its cells.
 * @param chars of all so far
 * @param count how many they are
 */
export function refuseSharedText(
  chars: number,
  count: number,
  { shared_text_chars: limit, ...limits }: ReadLimits,
): void {
  if (chars <= limit && count <= limits.rows * limits.columns) return;
  throw new SheetError('expands_too_much', 'The workbook has more text than can be read.', { limit });
}

/** Counts the texts of a table, row by row. */
export class TextCount {
  readonly #limits: ReadLimits;
  #chars = 0;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /** @returns the characters of this row @throws SheetError when it, or all so far, have too many */
  add({ row, cells, problems = [] }: Row): number {
    let chars = 0;
    for (const cell of cells) if (typeof cell === 'string') chars += cell.length;
    for (const { text } of problems) chars += text.length;
    const { row_chars, text_chars } = this.#limits;
    if (chars > row_chars) {
      throw new SheetError('cell_too_long', `A row has more than ${row_chars} characters.`, { row, limit: row_chars });
    }
    this.#chars += chars;
    if (this.#chars <= text_chars) return chars;
    const message = `The sheet has more than ${text_chars} characters of text.`;
    throw new SheetError('expands_too_much', message, { limit: text_chars });
  }
}
