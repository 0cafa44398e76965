/** Finds the header row of a table, below titles and empty rows, in one row or two with merged cells, and a row of units. */
import type { Cell, Row } from '../model/types.ts';

/** How many nonempty rows to search. */
export const maxRowsAbove = 10;

/** One match may be a coincidence: `Office` may also be in a person's row. */
const minKnown = 2;

export interface HeaderRow {
  /** As displayed by a spreadsheet; the lower row of a two-row header. */
  row: number;
  /** The one or two header rows. */
  rows: readonly number[];
  cells: Cell[];
  /** The index of the first row after headers and units. */
  next: number;
  /** The row of units below the headers. */
  units?: number;
}

/**
 * @param head the first rows of the table, two more than are searched
 * @param meaningOf the field of a header, by an exact or, if `fuzzy`, a similar name
 */
export function findHeaderRow(
  head: readonly Row[],
  meaningOf: (header: string, fuzzy: boolean) => string | undefined,
): HeaderRow | undefined {
  const [exact, fuzzy] = [false, true].map((isFuzzy) => (header: string) => meaningOf(header, isFuzzy));
  const found =
    bestOf(head.slice(0, maxRowsAbove), head, exact!, minKnown) ??
    bestOf(head.slice(0, maxRowsAbove), head, fuzzy!, minKnown) ??
    bestOf(head.slice(0, 1), head, fuzzy!, 1); // in the usual position, one match is enough
  if (!found) return undefined;
  const below = head[found.next];
  const hasUnits = below?.row === found.row + 1 && isUnits(below);
  return hasUnits ? { ...found, next: found.next + 1, units: below.row } : found;
}

type MeaningOf = (header: string) => string | undefined;

/** The row with the most known headers, or a pair of rows if it has more; the first among equals. */
function bestOf(
  rows: readonly Row[],
  head: readonly Row[],
  meaningOf: MeaningOf,
  minimum: number,
): HeaderRow | undefined {
  let best: HeaderRow | undefined;
  let most = minimum - 1;
  for (const [at, { row, cells }] of rows.entries()) {
    if (!looksLikeHeaders(cells)) continue;
    const known = count(cells, meaningOf);
    if (known > most) [best, most] = [{ row, rows: [row], cells, next: at + 1 }, known];
    const below = head[at + 1];
    const combined = below?.row === row + 1 && combineRows(cells, below.cells, meaningOf);
    if (!combined) continue;
    const both = count(combined, meaningOf);
    // A single row with as many headers is better; the loop reaches it next.
    if (both > most && both > count(below.cells, meaningOf)) {
      [best, most] = [{ row: below.row, rows: [row, below.row], cells: combined, next: at + 2 }, both];
    }
  }
  return best;
}

/** Headers are words; rows of people contain email addresses, and more numbers and dates. */
function looksLikeHeaders(cells: readonly Cell[]): boolean {
  const filled = cells.filter((cell) => cell !== null);
  const words = filled.filter((cell) => typeof cell === 'string' && /\p{L}/u.test(cell));
  return words.length * 2 > filled.length && !words.some((word) => /[^\s@]@[^\s@]+\.[^\s@]/.test(String(word)));
}

/** The number of distinct fields. */
function count(cells: readonly Cell[], meaningOf: MeaningOf): number {
  return new Set(cells.map((cell) => (cell === null ? undefined : meaningOf(String(cell)))).filter(Boolean)).size;
}

/** Combines headers of two rows. @returns undefined when a lower cell is no header, with or without its group */
function combineRows(upper: readonly Cell[], lower: readonly Cell[], meaningOf: MeaningOf): Cell[] | undefined {
  if (!looksLikeHeaders(lower)) return undefined;
  const cells: Cell[] = [];
  let group: Cell = null;
  for (let column = 0; column < Math.max(upper.length, lower.length); column++) {
    const above = upper[column] ?? null;
    const below = lower[column] ?? null;
    group = above ?? group; // only the first column of a merged cell has its text
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

/** Words and symbols in rows of units and hints, in the languages of known headers. */
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
  if (problems || texts.length === 0) return false; // formulas, which are reported
  return texts.every((cell) => typeof cell === 'string' && unit.test(cell.trim()));
}
