// The webhooks page: what users want to know first, then the tables.
import { formatMedian, markdownTable, rangeOf } from '../harness/figures.ts';
import type { Figures } from './measures.ts';

export interface Round {
  contestant: string;
  round: number;
  figures: Figures;
}

export interface Raw {
  machine: string;
  options: Record<string, number>;
  measured: Round[];
}

const service = 'this service';
const peer = 'Svix';

interface Row {
  words: string;
  figure: string;
  digits?: number;
  target?: string;
}

export function report({ machine, options, measured }: Raw): string {
  const hasPeer = measured.some(({ contestant: candidate }) => candidate === peer);
  const values = (candidate: string, figure: string) =>
    measured.filter((round) => round.contestant === candidate).flatMap(({ figures }) => figures[figure] ?? []);
  const format = (candidate: string, figure: string, digits = 0) => {
    const all = values(candidate, figure);
    return all.length > 0 ? formatMedian(all, digits) : '';
  };
  const median = (figure: string, digits = 0) => {
    const all = values(service, figure);
    return all.length > 0 ? rangeOf(all).median.toFixed(digits) : '?';
  };
  const table = (rows: Row[]) =>
    markdownTable(
      ['', service, ...(hasPeer ? [peer] : []), 'target'],
      rows.map(({ words, figure, digits, target = '' }) => [
        words,
        format(service, figure, digits),
        ...(hasPeer ? [format(peer, figure, digits)] : []),
        target,
      ]),
    );
  const rate = (perS: number) => median(`publish_${perS}_p50`, 1);
  return `# Webhook figures

- A webhook arrives ${rate(50)} ms after the response to the request that caused it (p50 at 50/s; p99: ${median('publish_50_p99', 0)} ms).
- A worker sends a backlog of ${options.events} at ${median('drain_1_per_s')} a second, with ${median('drain_1_cpu_us')} µs of CPU each.
- Beside ${options.hanging} receivers that never respond, a healthy one gets its events after ${median('hanging_p50', 1)} ms (p50; p99: ${median('hanging_p99')} ms).
- A killed worker loses nothing: the next one has sent 90% of the rest ${median('kill_90_ms')} ms after its start. Deliveries in progress
  can arrive twice.

${machine}, shared by load generator, service, database, and receiver, so compare columns, not machines.
Output of \`make bench NAME=webhooks\` in interleaved rounds, ${options.seconds} s per rate; medians (minimum–maximum), and each round in [webhooks.json](webhooks.json). API and worker
are separate processes, requests are signed, bodies have about 550 bytes, and Postgres writes to disk before it responds.
[webhooks.md](webhooks.md) explains the results.

## Latency, ms

From the response to the request that caused the event until its arrival; 0 for arrivals before the response.

${table([50, 200].flatMap((perS) => latencyRows(`publish_${perS}`, `${perS}/s`, true)))}

From the COMMIT of a transaction, without the API:

${table([50, 200].flatMap((perS) => latencyRows(`commit_${perS}`, `${perS}/s`, false)))}

## Backlog

Events wait, then a worker starts. Rates are from the first arrival to the last; CPU and memory are from the start of the worker.

${table([
  { words: `${options.events} to one receiver, per second`, figure: 'drain_1_per_s', target: '2 × Svix' },
  { words: 'worker CPU, µs each', figure: 'drain_1_cpu_us' },
  { words: 'worker peak memory, MB', figure: 'drain_1_memory_mb' },
  {
    words: `as many to ${options.many_endpoints} receivers, per second`,
    figure: `drain_${options.many_endpoints}_per_s`,
  },
  { words: 'worker CPU, µs each', figure: `drain_${options.many_endpoints}_cpu_us` },
  { words: `to one, beside ${options.waiting_retries} waiting retries, per second`, figure: 'drain_waiting_per_s' },
])}

## Hanging receivers, ms

One receiver responds; ${options.hanging} accept each request and never respond. 100 events to all of them, then 50 a second. With few slots, the
worker has ${options.few_places} instead of 500, so that all are taken.

${table([...latencyRows('hanging', 'healthy receiver', false), ...latencyRows('hanging_few', 'with few slots', false)].map((row) => ({ ...row, target: row.figure.endsWith('most') ? '1,000' : '' })))}

## Killed worker, and startup

SIGKILL when 30% of ${options.killed_events} have arrived; another worker starts at once. Times are from that start.

${table([
  { words: 'half of the rest, ms', figure: 'kill_half_ms' },
  { words: '90% of the rest, ms', figure: 'kill_90_ms', target: '3,000' },
  { words: 'last, ms', figure: 'kill_last_ms' },
  { words: 'lost', figure: 'kill_lost', target: '0' },
  { words: 'arrived twice', figure: 'kill_doubled', target: 'in progress' },
  { words: 'worker start to first delivery, ms', figure: 'start_ms', target: '700' },
])}

Deliveries in progress are sent again, because their receivers may not have got them.

## Cost for writers

Creates through the API, eight at a time.

${table([
  { words: 'without subscriptions, per second', figure: 'writes_per_s' },
  {
    words: 'five matching subscriptions, nothing sent: ratio to none',
    figure: 'writes_five_share',
    digits: 2,
    target: '0.8',
  },
  {
    words: 'five, and a worker sending on the same cores: ratio to none',
    figure: 'writes_sending_share',
    digits: 2,
    target: '0.5',
  },
])}

## Repeat it

\`make bench NAME=webhooks\` measures this service. To compare it, build the Svix server by its own instructions outside this repository, and run
\`make bench NAME=webhooks PEER=/path/to/svix-server\`. It needs \`redis-server\` (or \`REDIS=/path\`), which keeps its queue on disk. Both use
their defaults and the same Postgres. \`PARTS=latency,start\` measures some parts, and keeps the other figures.
`;
}

function latencyRows(figure: string, words: string, hasTarget: boolean): Row[] {
  const targets: Record<string, string> = { p50: '3', p95: '10', p99: '25' };
  return ['p50', 'p95', 'p99', 'most'].map((quantile) => ({
    words: `${words}, ${quantile === 'most' ? 'max' : quantile}`,
    figure: `${figure}_${quantile}`,
    digits: 1,
    ...(hasTarget && targets[quantile] && { target: targets[quantile] }),
  }));
}
