// Webhooks, in one run: latency, drain of a backlog, receivers that hang, a killed worker, the start of one, and what all of it
// costs who writes. Beside Svix where its server is given. Rounds are interleaved; writes docs/benchmarks/webhooks.md, and
// webhooks.json with the figures of every round. Talks to this machine alone.
// [ROUNDS=3] [SECONDS=5] [EVENTS=10000] [PARTS=latency,start,drain,kill,writes,hanging] [PEER=/path/to/svix-server] [ADD=1]
// [REDIS=redis-server]
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { startGround } from '../ground.ts';
import { orderOf } from '../order.ts';
import { stopServers } from '../servers.ts';
import type { Contestant } from './contestant.ts';
import { besideHanging, drain, type Figures, kill, latency, start } from './measures.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Raw, type Round, report } from './report.ts';
import { startSvix } from './svix.ts';
import { startThisService, type ThisService } from './this-service.ts';
import { writes } from './writers.ts';

const number = (name: string, otherwise: number) => Number(process.env[name] || otherwise);
const rounds = number('ROUNDS', 3);
const seconds = number('SECONDS', 5);
const events = number('EVENTS', 10_000);
/** Hanging receivers are the last: a peer may go on with them, and send nothing else meanwhile. */
const parts = (process.env.PARTS || 'latency,start,drain,kill,writes,hanging').split(',');
const is_added = Boolean(process.env.ADD);
const { PEER: program, REDIS: redis = 'redis-server' } = process.env;
/** Whatever happens, nothing goes on for longer. */
const longest_ms = 30 * 60_000;

const rates = [50, 200];
const many_endpoints = 10;
const hanging = 19; // with the one that answers: all that a company can have
const few_places = 100;
const killed_events = 2_000;
const waiting_retries = 100_000;
const raw_file = new URL('../../../docs/benchmarks/webhooks.json', import.meta.url);
const page_file = new URL('../../../docs/benchmarks/webhooks.md', import.meta.url);

type Measure = () => Promise<Figures>;

/** What everybody is asked, by part. */
function shared(contestant: Contestant, receiver: Receiver): Record<string, Measure[]> {
  const paces = rates.map((rate) => ({ rate, seconds }));
  const pace = { rate: rates[0]!, seconds };
  return {
    latency: [() => latency(contestant, receiver, { paces, how: 'publish' })],
    start: [() => start(contestant, receiver)],
    drain: [
      () => drain(contestant, receiver, { events, endpoints: 1 }),
      () => drain(contestant, receiver, { events: events / many_endpoints, endpoints: many_endpoints }),
    ],
    hanging: [() => besideHanging(contestant, receiver, { pace, hanging, name: 'hanging' })],
    kill: [() => kill(contestant, receiver, killed_events)],
  };
}

/** What has no counterpart at a peer. */
function own(service: ThisService, receiver: Receiver): Record<string, Measure[]> {
  const paces = rates.map((rate) => ({ rate, seconds }));
  const few = { ...service, startWorker: () => service.startWorker(few_places) };
  const pace = { rate: rates[0]!, seconds };
  return {
    latency: [() => latency(service, receiver, { paces, how: 'commit' })],
    drain: [() => drain(service, receiver, { events, endpoints: 1, waiting: waiting_retries })],
    hanging: [() => besideHanging(few, receiver, { pace, hanging, name: 'hanging_few' })],
    writes: [() => writes(service, receiver, seconds)],
  };
}

async function main(postgres_url: string, folder: string): Promise<void> {
  const receiver = await startReceiver();
  const service = await startThisService(postgres_url);
  const contestants: Contestant[] = [service];
  if (program) contestants.push(await startSvix({ postgres_url, folder, program, redis }));
  const measures = contestants.map((contestant) => ({ contestant, by_part: shared(contestant, receiver) }));
  measures.push({ contestant: service, by_part: own(service, receiver) });
  const done: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const part of parts) {
      const of_part = measures.flatMap(({ contestant: { name }, by_part }) =>
        (by_part[part] ?? []).map((measure) => ({ name, measure })),
      );
      for (const { name, measure } of orderOf(of_part, round)) {
        const figures = await measure();
        done.push({ contestant: name, round, figures });
        console.log(`${round + 1} ${name}: ${shown(figures)}`);
      }
    }
  }
  await service.close();
  await write(done);
}

function shown(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value < 10 ? value.toFixed(2) : value.toFixed(0)}`)
    .join(', ');
}

/** Figures of parts that were not measured now stay, and those of earlier rounds where these are added. */
async function write(done: Round[]): Promise<void> {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB; Node ${process.version}`;
  const fixed = { many_endpoints, hanging, few_places, killed_events, waiting_retries };
  const before = await readFile(raw_file, 'utf8').then(
    (text) => JSON.parse(text) as Raw,
    () => undefined,
  );
  const measured = new Set(
    done.flatMap(({ contestant, figures }) => Object.keys(figures).map((name) => contestant + name)),
  );
  const kept = (before?.measured ?? []).filter(
    ({ contestant, figures }) => is_added || !Object.keys(figures).some((name) => measured.has(contestant + name)),
  );
  const of_parts = { ...(parts.includes('latency') && { seconds }), ...(parts.includes('drain') && { events }) };
  const options = { seconds, events, ...before?.options, ...of_parts, ...fixed };
  const raw: Raw = { machine, options, measured: [...kept, ...done] };
  await writeFile(raw_file, `${JSON.stringify(raw, null, 1)}\n`);
  await writeFile(page_file, report(raw));
}

const ground = await startGround({ shared_buffers: '1GB', max_wal_size: '4GB' });
const end = setTimeout(() => {
  console.error('ended: it takes too long');
  stopServers();
  process.exitCode = 1;
  void ground.end();
}, longest_ms);
const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => {
  throw new Error('interrupted');
});
try {
  await Promise.race([main(ground.url, ground.folder), interrupted]);
} finally {
  clearTimeout(end);
  await ground.end();
}
