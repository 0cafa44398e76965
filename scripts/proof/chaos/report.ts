// Result tables of a run.
import type { FaultRecord } from './faults.ts';
import type { ChaosResult } from './run.ts';
import { type Outcome, quantile } from './traffic-log.ts';

const columns: [Outcome, string][] = [
  ['ok', '2xx'],
  ['expected', 'expected 4xx'],
  ['unavailable', '503'],
  ['network', 'broken'],
  ['timeout', 'no response'],
  ['server_error', 'other 5xx'],
  ['refused', 'unexpected 4xx'],
];
/** Failures are attributed to a fault until the next one, but at most for this long after it. */
const attributionMs = 15_000;

export function report(result: ChaosResult): string {
  const { world, drained, checked, trafficLog } = result;
  const processes = [...world.api, ...world.workers].map(({ name, restarts, exits, errors }) => {
    const early = exits.filter(({ wasReady }) => !wasReady);
    const logged = [...errors.values()].reduce((sum, { count }) => sum + count, 0);
    return [name, restarts, exits.length - early.length, early.length, logged];
  });
  const errors = new Map<string, number>();
  for (const each of [...world.api, ...world.workers]) {
    for (const [label, { count }] of each.errors) errors.set(label, (errors.get(label) ?? 0) + count);
  }
  return [
    requests(result),
    faultTable(result),
    ...unanswered(result),
    table(
      ['process', 'started again', 'ended by itself', 'could not start yet', 'errors logged'],
      processes.map((row) => row.map(String)),
    ),
    table(
      ['error logged', 'times'],
      [...errors].sort((a, b) => b[1] - a[1]).map(([label, count]) => [label.slice(0, 120), String(count)]),
    ),
    table(
      ['after the traffic: until there were no', 'seconds'],
      drained.map(({ label, ms }) => [label, seconds(ms)]),
    ),
    table(
      ['checked', 'number'],
      checked.map(([label, count]) => [label, String(count)]),
    ),
    trafficLog.violations.length === 0
      ? 'No violation.'
      : `${trafficLog.violations.length} violations:\n${trafficLog.violations.map((line) => `  - ${line}`).join('\n')}\nLogs and database: ${result.folder}`,
  ].join('\n\n');
}

function requests({ trafficLog, traffic }: ChaosResult): string {
  const names = [...new Set(trafficLog.attempts.map(({ operation }) => operation))].sort();
  const rows = [...names, undefined].map((name) => {
    const attempts = trafficLog.attempts.filter(({ operation }) => !name || operation === name);
    const ms = trafficLog.responses
      .filter(({ operation }) => !name || operation === name)
      .map((each) => each.ms)
      .sort((a, b) => a - b);
    const gaveUp = trafficLog.given_up.filter(({ operation }) => !name || operation === name).length;
    const counts = columns.map(([outcome]) => attempts.filter((each) => each.outcome === outcome).length);
    const times = [0.5, 0.99, 1].map((q) => quantile(ms, q).toFixed(0));
    return [name ?? 'all', attempts.length, ...counts, gaveUp, ...times].map(String);
  });
  const rate = trafficLog.attempts.length / ((traffic.endedMs - traffic.startedMs) / 1_000);
  const head = [
    'request',
    'attempts',
    ...columns.map(([, title]) => title),
    'given up',
    'p50 ms',
    'p99 ms',
    'longest ms',
  ];
  return `${table(head, rows)}\n${rate.toFixed(0)} attempts a second; times are from the first attempt to the response, with all waits between.`;
}

/** Client timeouts, the worst kind of failure, are listed individually. */
function unanswered({ trafficLog, traffic }: ChaosResult): string[] {
  const rows = trafficLog.attempts
    .filter(({ outcome }) => outcome === 'timeout')
    .map(({ operation, startedMs, request_id: requestId = '' }) => [
      operation,
      seconds(startedMs - traffic.startedMs),
      requestId,
    ]);
  return rows.length === 0 ? [] : [table(['request without a response', 'sent at s', 'id in the log'], rows)];
}

function faultTable({ faults, trafficLog, world, traffic }: ChaosResult): string {
  const attempts = trafficLog.attempts.toSorted((a, b) => a.endedMs - b.endedMs);
  const good = attempts
    .filter(({ outcome }) => outcome === 'ok' || outcome === 'expected')
    .map(({ endedMs }) => endedMs);
  const bad = attempts.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'expected');
  const rows = faults.map((fault, n) => {
    const { name, skipped, startedMs, clearedMs } = fault;
    if (skipped) return [name, `skipped: ${skipped}`, '', '', '', '', ''];
    const untilMs = Math.min(
      faults[n + 1]?.startedMs ?? Number.POSITIVE_INFINITY,
      clearedMs + attributionMs,
      traffic.endedMs,
    );
    const failed = bad.filter((each) => each.endedMs >= startedMs && each.startedMs < untilMs);
    const lastMs = Math.max(clearedMs, ...failed.map(({ endedMs }) => endedMs));
    return [
      name,
      seconds(startedMs - traffic.startedMs),
      seconds(clearedMs - startedMs),
      String(failed.length),
      seconds(silence(good, fault, untilMs)),
      seconds(lastMs - clearedMs),
      seconds(silence(world.receivers.acceptedAtMs, fault, untilMs)),
    ];
  });
  const head = [
    'fault',
    'at s',
    'lasted s',
    'failed attempts',
    'longest without a response s',
    'last failure after it s',
    'longest without a webhook s',
  ];
  return table(head, rows);
}

/** The longest gap since the start of the fault. */
function silence(timesMs: readonly number[], { startedMs }: FaultRecord, untilMs: number): number {
  const within = timesMs.filter((at) => at >= startedMs && at <= untilMs);
  let longest = 0;
  let before = startedMs;
  for (const at of [...within, untilMs]) {
    longest = Math.max(longest, at - before);
    before = at;
  }
  return longest;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

/** Formats a Markdown table with aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, n) => Math.max(title.length, ...rows.map((row) => (row[n] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, n) => (cells[n] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
