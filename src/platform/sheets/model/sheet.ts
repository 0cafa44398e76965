/** Sheets to be written: columns, and rows in groups, as a database cursor returns them. */
import { t } from '../../../contract/languages/text.ts';
import { SheetError } from './error.ts';
import type { Cell, CellKind } from './types.ts';

/** Data validation of a cell, enforced by the spreadsheet program. */
export type CellRule =
  /** `notes`: shown beside each value on the sheet of lists, for example the owner of an address. */
  | { kind: 'list'; values: readonly string[]; notes?: readonly string[]; is_strict: boolean }
  | { kind: 'date' }
  | { kind: 'number'; minimum: number; maximum: number }
  | { kind: 'length'; maximum: number };

export interface SheetColumn {
  header: string;
  kind: CellKind;
  /** In characters; default: the width of the header. */
  width?: number;
  /** Shown in another color. */
  is_required?: boolean;
  rule?: CellRule;
  /** Shown while a cell is edited. */
  hint?: string;
}

export interface Sheet {
  name: string;
  columns: readonly SheetColumn[];
  groups: Iterable<readonly Cell[][]> | AsyncIterable<readonly Cell[][]>;
  /** `hidden_for_good`: not offered in the program's menu. */
  visibility?: 'visible' | 'hidden' | 'hidden_for_good';
  /** The style of rows; default: data. `example`: the first row is an example. `prose`: wrapped text without a header row. */
  look?: 'data' | 'example' | 'prose';
  /** Headings in prose, counted from 1. */
  headingRows?: readonly number[];
}

export interface WrittenSheet {
  name: string;
  visibility: NonNullable<Sheet['visibility']>;
}

const maxName = 31;

/** Adapts a name to the rules for sheet names. @param used names in lower case; the new one is added */
export function sheetName(proposed: string, used: Set<string>): string {
  const cleaned = proposed
    .replace(/[[\]:*?/\\\p{Cc}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[' ]+|[' ]+$/g, '');
  const base = /^(history)?$/i.test(cleaned) ? `${cleaned} sheet`.trim() : cleaned; // Excel reserves `History`
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const name = truncate(base, maxName - suffix.length) + suffix;
    if (used.has(name.toLowerCase())) continue;
    used.add(name.toLowerCase());
    return name;
  }
}

/** @throws SheetError when a sheet exceeds the row limit of spreadsheet programs */
export function refuseTooManyRows(row: number): void {
  const limit = 1_048_576;
  if (row > limit) throw new SheetError('too_many_rows', t`A sheet can't have more than ${limit} rows.`, { limit });
}

function truncate(text: string, chars: number): string {
  return text
    .slice(0, chars)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
