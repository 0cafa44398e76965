/** Interprets number formats: dates are numbers with a date format, and ids with leading zeros often have a padding format. */

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

/** Built-in formats by number (ECMA-376, 18.8.30), including the East Asian ones. */
export function builtInFormat(id: number): NumberFormat {
  const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
  if (id === 9 || id === 10) return percent;
  return isDate ? date : number;
}

/** Excel's limit for a format code. */
const maxCodeChars = 255;

/**
 * Codes for built-in formats that the workbook uses, equivalent in `formatOf`.
 * @param own numbers of formats that the workbook defines
 */
export function usedFormats(used: Iterable<number>, own: ReadonlySet<number>): { id: number; code: string }[] {
  return [...used].filter((id) => !own.has(id)).map((id) => ({ id, code: codes[builtInFormat(id).kind] }));
}

const codes = { number: '0', digits: '0', date: 'd', percent: '0%' };

export function formatOf(code: string): NumberFormat {
  const first = code.slice(0, maxCodeChars).split(';')[0]!;
  const bare = first.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  if (/general/i.test(bare)) return number;
  if (/[ymdhs]/i.test(bare)) return date;
  if (bare.includes('%')) return percent;
  const [prefix] = /^(?:"[^"0]*"|\\[^0])*/.exec(first)!; // also letters: "EMP-"0000
  const unquoted = (code: string) => code.replace(/"([^"]*)"|\\(.)/g, '$1$2');
  const mask = unquoted(first.slice(prefix.length));
  if (/^[0 ()+-]*$/.test(mask) && (mask.match(/0/g)?.length ?? 0) > 1)
    return { kind: 'digits', mask: unquoted(prefix) + mask };
  return number;
}

/** @param text the number as stored @returns undefined if it isn't a number or not a valid date */
export function numberValue(text: string, format: NumberFormat, from1904: boolean): Cell | undefined {
  const exact = Number(text);
  if (text.trim() === '' || !Number.isFinite(exact)) return undefined;
  // Excel works with 15 digits but stores 17: it displays 434.99999999999994 as 435.
  const value = text.length > 15 ? Number(exact.toPrecision(15)) : exact;
  if (format.kind === 'date') return isoOfSerial(value, from1904);
  if (format.kind === 'percent') return percentText(value);
  if (format.kind === 'digits' && Number.isInteger(value) && value >= 0) return filled(value, format.mask);
  return value;
}

/** `50%` for 0.5, with all digits, of which the format may display fewer. */
export function percentText(value: number): string {
  return `${plainDigits(Number((value * 100).toPrecision(15)))}%`;
}

/** Without an exponent. */
export function plainDigits(value: number): string {
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
}

/** Fills the mask with the number's digits from the right; the remaining ones go in front. */
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
