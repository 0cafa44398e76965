/** Common representation of a sheet for all readers. */

/** Content of a cell: a text, number, boolean, ISO date, time, or both, duration in seconds, or error name. */
export type Value =
  | ['text', string]
  | ['number', number]
  | ['boolean', boolean]
  | ['date', string]
  | ['duration', number]
  | ['error', string];

/** Row and column start at 0. Empty cells are omitted. */
export type FoundCell = [row: number, column: number, ...value: Value];

export interface FoundSheet {
  name: string;
  cells: FoundCell[];
}

export type PeerResult = { sheets: FoundSheet[] } | { fault: string };

/** Limits per sheet; a few test workbooks are much larger, without testing anything else further down. */
export const compared = { sheets: 10, rows: 2_000, columns: 256 };

/** Size limit of a reader's output, in characters. */
export const maxOutputChars = 32 * 1024 * 1024;

export function positionOf(row: number, column: number): number {
  return row * 16_384 + column;
}

/** Spreadsheet notation, such as `B7`. */
export function cellName(position: number): string {
  let column = (position % 16_384) + 1;
  let letters = '';
  for (; column > 0; column = Math.floor((column - 1) / 26))
    letters = String.fromCharCode(65 + ((column - 1) % 26)) + letters;
  return letters + (Math.floor(position / 16_384) + 1);
}
