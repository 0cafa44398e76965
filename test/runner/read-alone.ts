/**
 * Reads workbooks in its own process, and prints the result of each and the peak memory: `node
 * test/runner/read-alone.ts <path> …`. Tests set the time zone of the process, or compare two of them.
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
