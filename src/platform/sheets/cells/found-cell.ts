/** Cells as workbooks of any kind have them, and rows made of them. */
import { restore } from '../model/neutral.ts';
import { refuseColumn, refuseText } from '../model/too-much.ts';
import type { Cell, CellProblem, CellProblemCode, ReadLimits, Row } from '../model/types.ts';
import { type NumberFormat, numberValue } from './number-formats.ts';

export interface FoundCell {
  /** Undefined when it can't be taken as data. */
  value: Cell | undefined;
  /** What stands there, to be shown where it is no data. */
  text: string;
  /** Why it is none. */
  code?: CellProblemCode;
  isFormula?: boolean;
}

export function textCell(text: string): FoundCell {
  return { value: restore(text), text };
}

export function booleanCell(value: boolean): FoundCell {
  return { value, text: String(Number(value)) };
}

/** @param number or how it is written @param format undefined for none */
export function numberCell(
  number: number | string,
  format: NumberFormat = { kind: 'number' },
  from1904 = false,
): FoundCell {
  const text = String(number);
  const code = format.kind === 'date' ? 'date_out_of_range' : 'not_finite';
  return { value: numberValue(text, format, from1904), text, code };
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

export function errorCell(error: number): FoundCell {
  return { value: undefined, text: errors.get(error) ?? '#VALUE!', code: 'cell_error' };
}

/**
 * @param row counted from 1
 * @param found by column, with gaps
 * @returns undefined when nothing stands there
 */
export function rowOf(row: number, found: readonly FoundCell[], limits: ReadLimits): Row | undefined {
  const cells: Cell[] = [];
  const problems: CellProblem[] = [];
  found.forEach(({ value, text, code, isFormula }, column) => {
    if ((value === null || value === '') && !isFormula) return;
    refuseColumn(row, column, limits);
    if (value === undefined) problems.push({ column, code: code!, text });
    else if (isFormula) problems.push({ column, code: 'formula', text, value });
    else {
      if (typeof value === 'string') refuseText(value, row, column, limits);
      while (cells.length < column) cells.push(null);
      cells.push(value);
    }
  });
  if (cells.length === 0 && problems.length === 0) return undefined;
  return { row, cells, ...(problems.length > 0 && { problems }) };
}
