/** What a cell means for a field of a certain kind, however the program that saved the file has written it. */
import { oneLine } from '../../contract/texts/one-line.ts';
import { plainDigits } from './number-formats.ts';
import type { Cell, CellKind } from './types.ts';

/**
 * @returns the value as the contract has it; a cell that is not of the kind as it is, for the contract to refuse
 */
export function fieldValue(cell: Cell, kind: CellKind): Cell {
  if (cell === null) return null;
  switch (kind) {
    case 'text':
      return (typeof cell === 'string' ? oneLine(cell) : textOf(cell)) || null;
    case 'number':
      return typeof cell === 'string' ? (shareOf(cell) ?? numberOf(cell)) : cell;
    case 'money':
      return typeof cell === 'string' ? numberOf(cell) : cell; // a share of an amount is no amount
    case 'date':
      return typeof cell === 'string' ? cell.trim().replace(/^(\d{4}-\d\d-\d\d)T00:00:00(\.0+)?Z?$/, '$1') : cell;
    case 'datetime':
      return cell;
    case 'boolean':
      return typeof cell === 'boolean' ? cell : booleanOf(cell);
  }
}

/** Digits of an id or a phone number that a program has taken for a number: never with an exponent. */
function textOf(cell: number | boolean): string {
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return plainDigits(cell);
}

/**
 * Only what is a number beyond doubt, in whatever country: whether `1,234` is a thousand is nothing to guess with salaries,
 * and `1.234` has more decimals than they may. Signs of currencies are left to be refused: nothing keeps them.
 */
function numberOf(text: string): Cell {
  const bare = text.trim();
  if (/^[+-]?\d+(\.\d+)?$/.test(bare)) return Number(bare);
  const [, integer, , decimals = ''] = grouped.exec(bare) ?? decimalComma.exec(bare) ?? [];
  return integer === undefined ? text : Number(`${integer.replace(/[^\d+-]/g, '')}.${decimals || 0}`);
}

/** Thousands apart by one sign, and decimals by the other; or more than one thousand; or thousands apart by spaces. */
const grouped = /^(?=.*[.,].*[.,]|.*[\s'’])([+-]?\d{1,3}(?:([.,\s'’])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d{1,2}))?$/;
const decimalComma = /^([+-]?\d+)(),(\d{1,2})$/;

/** `50%` is a half. */
function shareOf(text: string): number | undefined {
  const [, number] = /^([+-]?\d+(?:\.\d+)?)\s*%$/.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number((Number(number) / 100).toPrecision(15));
}

function booleanOf(cell: string | number): Cell {
  const word = String(cell).trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : cell;
}
