// The webhooks page: what users want to know first, then the tables.
import { markdownTable, rangeOf, shownRange } from '../harness/figures.ts';
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
  const hasPeer = measured.some(({ contestant }) => contestant === peer);
  const values = (contestant: string, figure: string) =>
    measured.filter((round) => round.contestant === contestant).flatMap(({ figures }) => figures[figure] ?? []);
  const shown = (contestant: string, figure: string, digits = 0) => {
    const all = values(contestant, figure);
    return all.length > 0 ? shownRange(rangeOf(all), digits) : '';
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
        shown(service, figure, digits),
        ...(hasPeer ? [shown(peer, figure, digits)] : []),
        target,
      ]),
    );
  const rate = (perS: number) => median(`publish_${perS}_p50`, 1);
  return `# Webhooks

- An event is with its receiver ${rate(50)} ms after the answer to the request that caused it (median, 50 a second; 99 of 100 within
  ${median('publish_50_p99', 0)} ms).
- A worker sends a backlog of ${options.events} at ${median('drain_1_per_s')} a second, and takes ${median('drain_1_cpu_us')} µs of a processor for each.
- Beside ${options.hanging} receivers that never answer, one that does has its events after ${median('hanging_p50', 1)} ms (99 of 100 within
  ${median('hanging_p99')} ms).
- A worker that is killed loses nothing: another has sent 90 % of the rest ${median('kill_90_ms')} ms after its start. What was under way
  may come twice.
- Two processors share load, service, database and receiver, so compare columns, not machines.

${machine}. Interleaved rounds of \`make bench NAME=webhooks\`, ${options.seconds} s for each rate; medians, with the least and the most. Every round is in [webhooks.json](webhooks.json). API and worker are processes of their own, requests are signed, bodies have about 550
bytes, Postgres writes to disk before it answers.

## Latency, ms

From the answer to the request that caused the event to its receiver; 0 for what came before that answer.

${table([50, 200].flatMap((perS) => latencyRows(`publish_${perS}`, `${perS}/s`, true)))}

The same from the COMMIT of a transaction, without the API:

${table([50, 200].flatMap((perS) => latencyRows(`commit_${perS}`, `${perS}/s`, false)))}

## Backlog

Events wait, then a worker starts; from the first arrival to the last, processor and memory of the worker from its start.

${table([
  { words: `${options.events} to one endpoint, a second`, figure: 'drain_1_per_s', target: '2 × Svix' },
  { words: 'processor of the worker, µs each', figure: 'drain_1_cpu_us' },
  { words: 'peak memory of the worker, MB', figure: 'drain_1_memory_mb' },
  {
    words: `as many to ${options.many_endpoints} endpoints, a second`,
    figure: `drain_${options.many_endpoints}_per_s`,
  },
  { words: 'processor of the worker, µs each', figure: `drain_${options.many_endpoints}_cpu_us` },
  { words: `to one, beside ${options.waiting_retries} waiting retries, a second`, figure: 'drain_waiting_per_s' },
])}

## Receivers that hang

One receiver answers, ${options.hanging} take each request and never answer; 100 events to all of them, then 50 a second. In the second block a
worker has ${options.few_places} places in place of 500, so that all are taken.

${table([...latencyRows('hanging', 'beside them', false), ...latencyRows('hanging_few', 'few places', false)].map((row) => ({ ...row, target: row.figure.endsWith('most') ? '1,000' : '' })))}

## A worker that is killed, and the start of one

SIGKILL when 30 % of ${options.killed_events} have come; another worker is started at once. Times from that start.

${table([
  { words: 'half of the rest, ms', figure: 'kill_half_ms' },
  { words: '90 % of the rest, ms', figure: 'kill_90_ms', target: '3,000' },
  { words: 'the last, ms', figure: 'kill_last_ms' },
  { words: 'lost', figure: 'kill_lost', target: '0' },
  { words: 'came twice', figure: 'kill_doubled', target: 'what was under way' },
  { words: 'start of a process to its first delivery, ms', figure: 'start_ms', target: '700' },
])}

What the killed worker had under way is sent again, because its receiver may not have got it.

## What it costs who writes

Creations by the API, eight at a time.

${table([
  { words: 'without subscriptions, a second', figure: 'writes_per_s' },
  { words: 'with five that match, nothing sent: share of that', figure: 'writes_five_share', digits: 2, target: '0.8' },
  {
    words: 'with five, and a worker that sends on the same two cores',
    figure: 'writes_sending_share',
    digits: 2,
    target: '0.5',
  },
])}

## How to repeat it

\`make bench NAME=webhooks\` measures this service. For the column beside it, build the server of Svix by its own instructions, outside of
this repository, and give its path: \`make bench NAME=webhooks PEER=/path/to/svix-server\`. It needs \`redis-server\` (or \`REDIS=/path\`),
which keeps its queue on disk; both run with their defaults, on the same Postgres. \`PARTS=latency,start\` measures some parts
and keeps the figures of the others.
`;
}

function latencyRows(figure: string, words: string, hasTarget: boolean): Row[] {
  const targets: Record<string, string> = { p50: '3', p95: '10', p99: '25' };
  return ['p50', 'p95', 'p99', 'most'].map((quantile) => ({
    words: `${words}, ${quantile === 'most' ? 'the longest' : quantile}`,
    figure: `${figure}_${quantile}`,
    digits: 1,
    ...(hasTarget && targets[quantile] && { target: targets[quantile] }),
  }));
}
