/** A sheet as a reader gives it, in one form for all readers. */

/**
 * What a cell holds: a text, a number, a boolean, a date or a time as ISO text (`2026-03-02`, `2026-03-02T08:30:00`,
 * `08:30:00`), a duration in seconds, or the name of an error.
 */
export type Value =
  | ['text', string]
  | ['number', number]
  | ['boolean', boolean]
  | ['date', string]
  | ['duration', number]
  | ['error', string];

/** Row and column are counted from 0. Cells without a value are left out. */
export type FoundCell = [row: number, column: number, ...value: Value];

export interface FoundSheet {
  name: string;
  cells: FoundCell[];
}

/** What another reader says to a file. */
export type PeerAnswer = { sheets: FoundSheet[] } | { fault: string };

/** Of each sheet; a test workbook has a few that are much larger, and says nothing new further down. */
export const compared = { sheets: 10, rows: 2_000, columns: 256 };

/** Of what a reader answers, in characters. */
export const longestAnswer = 32 * 1024 * 1024;

/** What a cell is known by in a map. */
export function placeOf(row: number, column: number): number {
  return row * 16_384 + column;
}

/** As a spreadsheet program shows it, `B7`. */
export function placeName(place: number): string {
  let column = (place % 16_384) + 1;
  let letters = '';
  for (; column > 0; column = Math.floor((column - 1) / 26))
    letters = String.fromCharCode(65 + ((column - 1) % 26)) + letters;
  return letters + (Math.floor(place / 16_384) + 1);
}
