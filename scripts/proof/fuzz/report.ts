// Human-readable results.
import type { Tally } from './run.ts';

const maxCommand = 3_000;

export function printTable(all: readonly Tally[]): void {
  const statuses = [...new Set(all.flatMap(({ responses }) => [...responses.keys()]))].sort((a, b) => a - b);
  const heads = ['operation', 'requests', ...statuses.map(String), 'slowest ms', 'violations'];
  const rows = all.map(({ operationId, requests, responses, slowestMs, violations }) => [
    operationId,
    String(requests),
    ...statuses.map((status) => String(responses.get(status) ?? '')),
    slowestMs.toFixed(0),
    String(violations.length),
  ]);
  const sum = (of: (tally: Tally) => number) => String(all.reduce((total, tally) => total + of(tally), 0));
  rows.push([
    'all',
    sum(({ requests }) => requests),
    ...statuses.map((status) => sum(({ responses }) => responses.get(status) ?? 0)),
    Math.max(0, ...all.map(({ slowestMs }) => slowestMs)).toFixed(0),
    sum(({ violations }) => violations.length),
  ]);
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' | ')} |`;
  console.log(line(heads));
  console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  for (const row of rows) console.log(line(row));
}

export function printViolations(all: readonly Tally[]): void {
  for (const { operationId, violations } of all) {
    for (const { sentences, seed, curl } of violations) {
      console.log(`\n✕ ${operationId}, to repeat: SEED=${seed} OPERATION=${operationId} make fuzz`);
      for (const sentence of sentences) console.log(`  ${sentence}`);
      console.log(`  ${curl.slice(0, maxCommand)}`);
    }
  }
}
