/**
 * Reads workbooks in a process of its own, and tells what came of each, and the most memory that the process had:
 * `node test/helpers/read-alone.ts <path> …`. A test sets the time zone of such a process, or compares two of them.
 */
import { SheetError } from '../../src/platform/sheets/model/error.ts';
import type { Row } from '../../src/platform/sheets/model/types.ts';
import { SheetReader } from '../../src/platform/sheets/reader.ts';

const reader = new SheetReader(1);
const results: ReadAlone['results'] = [];
for (const path of process.argv.slice(2)) {
  try {
    const rows: Row[] = [];
    for await (const row of (await reader.open(path)).rows) rows.push(row);
    results.push({ rows });
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    results.push({ code: error.code });
  }
}
await reader.close();
const peakMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ results, peak_mb: peakMb } satisfies ReadAlone));

export interface ReadAlone {
  results: { rows?: Row[]; code?: string }[];
  peak_mb: number;
}
