/** Formats the final table of results. */
import type { SdkClient } from './client.ts';

export interface Outcome {
  client: SdkClient;
  /** `generated`: no compiler is available. */
  result: 'passed' | 'generated' | 'skipped' | 'failed';
  /** Why it went no further; empty for a trip. */
  reason: string;
}

/** @returns aligned columns with a heading, one client per line */
export function table(outcomes: Outcome[]): string {
  const rows = outcomes.map(({ client, result, reason }) => [
    client.name,
    client.generator,
    client.document,
    reason ? `${result}: ${reason}` : result,
  ]);
  const all = [['client', 'made by', 'from', 'result'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}
