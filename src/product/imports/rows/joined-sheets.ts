/** Joins several sheets of people into one table: rows are appended under the first sheet's headers, with continuous numbers. */

import { TextCount } from '../../../platform/sheets/model/limits.ts';
import { timeLimitExceeded } from '../../../platform/sheets/model/time-limit.ts';
import { type Row, readLimits } from '../../../platform/sheets/model/types.ts';
import type { OpenTable, SheetReader } from '../../../platform/sheets/reader.ts';
import { SheetMarks } from '../../../platform/sheets/sheet-marks.ts';

/** Placeholder for all sheets: not a valid sheet name. */
export const allSheets = '*';

export interface PeopleSheet {
  name: string;
  /** The last header row, or the row of units below it. */
  headersEnd: number;
  /** Sheets with other headers have other columns. */
  headers: string;
}

/** Time limit for all sheets together; each also has its own. */
const maxMs = 120_000;

export function joinSheets(
  sheets: SheetReader,
  bytes: Uint8Array,
  [first, ...others]: readonly PeopleSheet[],
  file: OpenTable,
  signal: AbortSignal,
): OpenTable {
  const marks = new SheetMarks();
  const text = new TextCount(readLimits);
  const startedMs = performance.now();
  let last = first!.headersEnd;

  async function* rowsOf(table: OpenTable, skipped: number): AsyncGenerator<Row[]> {
    const shift = skipped === 0 ? 0 : last - skipped;
    for await (const group of table.groups) {
      if (performance.now() - startedMs > maxMs) throw timeLimitExceeded();
      const rows = group.filter(({ row }) => row > skipped);
      for (const row of rows) {
        row.row += shift;
        text.add(row);
        last = Math.max(last, row.row);
      }
      yield rows;
    }
    for (const { column, first: from, last: to } of table.marks.merged) {
      marks.addMerged({ column, first: from + shift, last: to + shift });
    }
    for (const row of table.marks.hidden) marks.addHidden(row + shift);
  }
  async function* groups(): AsyncGenerator<Row[]> {
    yield* rowsOf(file, 0);
    for (const { name, headersEnd } of others) {
      await using table = await sheets.open(bytes, { sheet: name, signal });
      yield* rowsOf(table, headersEnd);
    }
  }
  const close = () => file.close();
  return { ...file, groups: groups(), marks, close, [Symbol.asyncDispose]: async () => close() };
}
