/** What is to be written: sheets with columns, and rows in groups as a cursor of the database gives them. */
import { say } from '../../../contract/languages/text.ts';
import { SheetError } from './error.ts';
import type { Cell, CellKind } from './types.ts';

/** What a cell may be given; the program that opens the workbook holds whoever fills it in to it. */
export type CellRule =
  /** `notes`: what stands beside each value on the sheet of lists, such as whose address it is. */
  | { kind: 'list'; values: readonly string[]; notes?: readonly string[]; is_strict: boolean }
  | { kind: 'date' }
  | { kind: 'number'; minimum: number; maximum: number }
  | { kind: 'length'; maximum: number };

export interface SheetColumn {
  header: string;
  kind: CellKind;
  /** In characters; by default wide enough for the header. */
  width?: number;
  /** Shown in another color. */
  is_required?: boolean;
  rule?: CellRule;
  /** Shown beside a cell while it is filled in. */
  hint?: string;
}

export interface Sheet {
  name: string;
  columns: readonly SheetColumn[];
  groups: Iterable<readonly Cell[][]> | AsyncIterable<readonly Cell[][]>;
  /** `hidden_for_good`: not offered by a program's menu. */
  visibility?: 'visible' | 'hidden' | 'hidden_for_good';
  /** How rows look; by default as data. `example`: the first is an example. `prose`: text that wraps, no header row. */
  look?: 'data' | 'example' | 'prose';
  /** Rows of prose that are headings, counted from 1. */
  headingRows?: readonly number[];
}

/** A sheet as the list of sheets has it. */
export interface WrittenSheet {
  name: string;
  visibility: NonNullable<Sheet['visibility']>;
}

const longestName = 31;

/**
 * The name of a sheet as close to what is wanted as a workbook allows.
 * @param used in lower case; the name is added
 */
export function sheetName(wanted: string, used: Set<string>): string {
  const cleaned = wanted
    .replace(/[[\]:*?/\\\p{Cc}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[' ]+|[' ]+$/g, '');
  const base = /^(history)?$/i.test(cleaned) ? `${cleaned} sheet`.trim() : cleaned; // Excel keeps `History` for itself
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const name = cut(base, longestName - suffix.length) + suffix;
    if (used.has(name.toLowerCase())) continue;
    used.add(name.toLowerCase());
    return name;
  }
}

/** @throws SheetError when a program would not open a sheet with so many rows */
export function refuseTooManyRows(row: number): void {
  const limit = 1_048_576;
  if (row > limit) throw new SheetError('too_many_rows', say`A sheet can't have more than ${limit} rows.`, { limit });
}

function cut(text: string, chars: number): string {
  return text
    .slice(0, chars)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
