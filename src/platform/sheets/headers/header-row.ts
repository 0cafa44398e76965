/**
 * Where the headers of a table stand: people put a title, a date and empty rows above them, write them in two rows with
 * merged cells, and put a row of units below.
 */
import type { Cell, Row } from '../model/types.ts';

/** How many rows with a value are looked through for the headers. */
export const mostRowsAbove = 10;

/** One header is known by chance: `Office` stands in the row of a person too. */
const fewestKnown = 2;

export interface HeaderRow {
  /** As a spreadsheet shows it; of the lower one, where the headers stand in two. */
  row: number;
  /** All rows in which they stand: one or two. */
  rows: readonly number[];
  cells: Cell[];
  /** Which of the rows is the first that is no header and has no units. */
  next: number;
  /** The row of units below the headers. */
  units?: number;
}

/**
 * @param head the first rows of the table, two more than are looked through
 * @param meaningOf what a header stands for, undefined for none: by its name, or where `roughly`, by almost its name
 * @returns undefined when none of the rows has headers
 */
export function findHeaderRow(
  head: readonly Row[],
  meaningOf: (header: string, roughly: boolean) => string | undefined,
): HeaderRow | undefined {
  const [exactly, roughly] = [false, true].map((isRough) => (header: string) => meaningOf(header, isRough));
  const found =
    bestOf(head.slice(0, mostRowsAbove), head, exactly!, fewestKnown) ??
    bestOf(head.slice(0, mostRowsAbove), head, roughly!, fewestKnown) ??
    bestOf(head.slice(0, 1), head, roughly!, 1); // where headers usually stand, one is enough
  if (!found) return undefined;
  const below = head[found.next];
  const hasUnits = below?.row === found.row + 1 && isUnits(below);
  return hasUnits ? { ...found, next: found.next + 1, units: below.row } : found;
}

type MeaningOf = (header: string) => string | undefined;

/** The row that has most known headers, or two together where that is more; the first of several. */
function bestOf(
  rows: readonly Row[],
  head: readonly Row[],
  meaningOf: MeaningOf,
  least: number,
): HeaderRow | undefined {
  let best: HeaderRow | undefined;
  let most = least - 1;
  for (const [at, { row, cells }] of rows.entries()) {
    if (!mayBeHeaders(cells)) continue;
    const known = count(cells, meaningOf);
    if (known > most) [best, most] = [{ row, rows: [row], cells, next: at + 1 }, known];
    const below = head[at + 1];
    const together = below?.row === row + 1 && inTwoRows(cells, below.cells, meaningOf);
    if (!together) continue;
    const both = count(together, meaningOf);
    // A single row below that has as many is the better one, and comes next.
    if (both > most && both > count(below.cells, meaningOf)) {
      [best, most] = [{ row: below.row, rows: [row, below.row], cells: together, next: at + 2 }, both];
    }
  }
  return best;
}

/** Headers are words. Rows of people have addresses, and more numbers and dates. */
function mayBeHeaders(cells: readonly Cell[]): boolean {
  const there = cells.filter((cell) => cell !== null);
  const words = there.filter((cell) => typeof cell === 'string' && /\p{L}/u.test(cell));
  return words.length * 2 > there.length && !words.some((word) => /[^\s@]@[^\s@]+\.[^\s@]/.test(String(word)));
}

/** How many different fields they name. */
function count(cells: readonly Cell[], meaningOf: MeaningOf): number {
  return new Set(cells.map((cell) => (cell === null ? undefined : meaningOf(String(cell)))).filter(Boolean)).size;
}

/**
 * Headers of two rows as one: a header above that reaches down over both, and a name of a group above several.
 * @returns undefined when something in the lower row is no header, neither by itself nor with its group
 */
function inTwoRows(upper: readonly Cell[], lower: readonly Cell[], meaningOf: MeaningOf): Cell[] | undefined {
  if (!mayBeHeaders(lower)) return undefined;
  const cells: Cell[] = [];
  let group: Cell = null;
  for (let column = 0; column < Math.max(upper.length, lower.length); column++) {
    const above = upper[column] ?? null;
    const below = lower[column] ?? null;
    group = above ?? group; // a merged cell has its text in its first column only
    if (below === null) {
      cells.push(above);
      continue;
    }
    const names = group === null ? [below] : [`${group} ${below}`, `${below} ${group}`, below];
    const header = names.find((name) => meaningOf(String(name)) !== undefined);
    if (header === undefined) return undefined;
    cells.push(header);
  }
  return cells;
}

/** Words and signs of which rows of units and hints consist, in the languages in which headers are known. */
const unit = new RegExp(
  `^(?:${[
    String.raw`[(\[].*[)\]]`,
    String.raw`[dmyatj]{1,4}([./ -])[dmyatj]{1,4}\1[dmyatj]{1,4}`, // dd/mm/yyyy, TT.MM.JJJJ, aaaa-mm-dd
    String.raw`(?:R\$|US\$|[$€£%]|EUR|USD|BRL|GBP|CHF)(?: ?(?:/|per|por|pro|par) ?\p{L}+)?`,
    'text[eo]?|date|data|fecha|datum|number|número|numero|zahl|nombre',
    'required|optional|mandatory|obrigatório|opcional|obligatorio|pflichtfeld|obligatoire|facultatif',
    '[-–—*]+',
  ].join('|')})$`,
  'iu',
);

function isUnits({ cells, problems }: Row): boolean {
  const texts = cells.filter((cell) => cell !== null);
  if (problems || texts.length === 0) return false; // formulas, which are told
  return texts.every((cell) => typeof cell === 'string' && unit.test(cell.trim()));
}
