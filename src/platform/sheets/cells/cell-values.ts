/** Converts a cell to a field's kind, however the program that saved the file wrote it. */
import { oneLine } from '../../../contract/texts/one-line.ts';
import type { Cell, CellKind } from '../model/types.ts';
import { plainDigits } from './number-formats.ts';
import { readNumber } from './number-texts.ts';

/** @returns the value in the contract's format; a cell of another kind unchanged, so that the contract's validation rejects it */
export function fieldValue(cell: Cell, kind: CellKind): Cell {
  if (cell === null) return null;
  switch (kind) {
    case 'text':
      return (typeof cell === 'string' ? oneLine(cell) : textOf(cell)) || null;
    case 'number':
      return typeof cell === 'string' ? (shareOf(cell) ?? numberOf(cell)) : cell;
    case 'money':
      return typeof cell === 'string' ? numberOf(cell) : cell; // a percentage isn't an amount
    case 'date':
      return typeof cell === 'string' ? cell.trim().replace(/^(\d{4}-\d\d-\d\d)T00:00:00(\.0+)?Z?$/, '$1') : cell;
    case 'datetime':
      return cell;
    case 'boolean':
      return typeof cell === 'boolean' ? cell : booleanOf(cell);
  }
}

/** Digits of an id or phone number that a program stored as a number: never with an exponent. */
function textOf(cell: number | boolean): string {
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return plainDigits(cell);
}

/** Accepts only numbers that are unambiguous in every country; ambiguous columns were resolved before. */
function numberOf(text: string): Cell {
  const reading = readNumber(text);
  return reading.kind === 'number' && reading.currency === undefined ? reading.value : text;
}

/** `50%` is a half. */
function shareOf(text: string): number | undefined {
  const [, number] = /^(.*\d)\s*%$/.exec(text.trim()) ?? [];
  const percent = number === undefined ? undefined : numberOf(number);
  return typeof percent === 'number' ? Number((percent / 100).toPrecision(15)) : undefined;
}

function booleanOf(cell: string | number): Cell {
  const word = String(cell).trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : cell;
}
