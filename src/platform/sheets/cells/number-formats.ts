/**
 * What the format of a cell says its number is. A workbook has no dates: it has numbers, and formats that show them as
 * dates. In the same way an id with leading zeros is often a number whose format fills it up.
 */

import type { Cell } from '../model/types.ts';
import { isoOfSerial } from './dates.ts';

export type NumberFormat =
  | { kind: 'number' }
  | { kind: 'date' }
  | { kind: 'percent' }
  | { kind: 'digits'; mask: string };

const number: NumberFormat = { kind: 'number' };
const date: NumberFormat = { kind: 'date' };
const percent: NumberFormat = { kind: 'percent' };

/** The formats that every program knows by number (ECMA-376, 18.8.30), those of the Far East among them. */
export function builtInFormat(id: number): NumberFormat {
  const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
  if (id === 9 || id === 10) return percent;
  return isDate ? date : number;
}

/** Of a format; Excel has none that is longer. */
const longestCodeChars = 255;

/**
 * Formats that cells use and the workbook does not have, because every program knows them.
 * @param used their numbers
 * @param own numbers of the formats that the workbook has
 * @returns a code for each that means the same to `formatOf`
 */
export function usedFormats(used: Iterable<number>, own: ReadonlySet<number>): { id: number; code: string }[] {
  return [...used].filter((id) => !own.has(id)).map((id) => ({ id, code: codes[builtInFormat(id).kind] }));
}

const codes = { number: '0', digits: '0', date: 'd', percent: '0%' };

export function formatOf(code: string): NumberFormat {
  const first = code.slice(0, longestCodeChars).split(';')[0]!;
  const bare = first.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  if (/general/i.test(bare)) return number;
  if (/[ymdhs]/i.test(bare)) return date;
  if (bare.includes('%')) return percent;
  const mask = first.replace(/"([^"]*)"|\\(.)/g, '$1$2');
  if (/^[0 ()+-]*$/.test(mask) && (mask.match(/0/g)?.length ?? 0) > 1) return { kind: 'digits', mask };
  return number;
}

/**
 * @param text the number as it stands in the file
 * @returns undefined for what is no number or no day
 */
export function numberValue(text: string, format: NumberFormat, from1904: boolean): Cell | undefined {
  const exact = Number(text);
  if (text.trim() === '' || !Number.isFinite(exact)) return undefined;
  // Excel means 15 digits, and keeps 17: 434.99999999999994 is the 435 that it shows.
  const value = text.length > 15 ? Number(exact.toPrecision(15)) : exact;
  if (format.kind === 'date') return isoOfSerial(value, from1904);
  if (format.kind === 'percent') return percentText(value);
  if (format.kind === 'digits' && Number.isInteger(value) && value >= 0) return filled(value, format.mask);
  return value;
}

/** As people see it and mean it, with all its digits: `50%` of 0.5, where the format may show fewer. */
export function percentText(value: number): string {
  return `${plainDigits(Number((value * 100).toPrecision(15)))}%`;
}

/** A number as people write it: without an exponent. */
export function plainDigits(value: number): string {
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
}

/** The digits of a number in the places of a mask, from the right; what is left over goes in front. */
function filled(value: number, mask: string): string {
  const digits = value.toFixed(0).split('');
  const first = mask.indexOf('0');
  let text = '';
  for (let at = mask.length - 1; at >= 0; at--) {
    if (mask[at] !== '0') text = mask[at] + text;
    else text = (at === first ? digits.join('') || '0' : (digits.pop() ?? '0')) + text;
  }
  return text;
}
