// Benchmarks webhooks: latency, backlog drain, hanging receivers, a killed worker, worker startup, and the cost for writers.
// Compares with Svix if its server is given. Rounds are interleaved. Writes docs/benchmarks/webhooks-figures.md, and webhooks.json
// with the figures of every round. Sends nothing outside this machine.
// [ROUNDS=3] [SECONDS=5] [EVENTS=10000] [PARTS=latency,start,drain,kill,writes,hanging] [PEER=/path/to/svix-server] [ADD=1]
// [REDIS=redis-server]
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { startBenchDatabase } from '../harness/database.ts';
import { orderOf } from '../harness/order.ts';
import { stopServers } from '../harness/servers.ts';
import type { Candidate } from './candidate.ts';
import { drain, type Figures, kill, latency, latencyWithHanging, start } from './measures.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Raw, type Round, report } from './report.ts';
import { startSvix } from './svix.ts';
import { startThisService, type ThisService } from './this-service.ts';
import { writes } from './writers.ts';

const number = (name: string, fallback: number) => Number(process.env[name] || fallback);
const rounds = number('ROUNDS', 3);
const seconds = number('SECONDS', 5);
const events = number('EVENTS', 10_000);
/** Hanging receivers come last: a peer may keep retrying them, and send nothing else in the meantime. */
const parts = (process.env.PARTS || 'latency,start,drain,kill,writes,hanging').split(',');
const isAdded = Boolean(process.env.ADD);
const { PEER: program, REDIS: redis = 'redis-server' } = process.env;
/** Overall timeout. */
const maxMs = 30 * 60_000;

const rates = [50, 200];
const manyEndpoints = 10;
const hanging = 19; // with the responsive one, the maximum of a company
const fewSlots = 100;
const killedEvents = 2_000;
const waitingRetries = 100_000;
const rawFile = new URL('../../../docs/benchmarks/webhooks.json', import.meta.url);
const pageFile = new URL('../../../docs/benchmarks/webhooks-figures.md', import.meta.url);

type Measure = () => Promise<Figures>;

/** Measurements for every contestant, by part. */
function shared(candidate: Candidate, receiver: Receiver): Record<string, Measure[]> {
  const paces = rates.map((rate) => ({ rate, seconds }));
  const pace = { rate: rates[0]!, seconds };
  return {
    latency: [() => latency(candidate, receiver, { paces, how: 'publish' })],
    start: [() => start(candidate, receiver)],
    drain: [
      () => drain(candidate, receiver, { events, endpoints: 1 }),
      () => drain(candidate, receiver, { events: events / manyEndpoints, endpoints: manyEndpoints }),
    ],
    hanging: [() => latencyWithHanging(candidate, receiver, { pace, hanging, name: 'hanging' })],
    kill: [() => kill(candidate, receiver, killedEvents)],
  };
}

/** Measurements for this service only. */
function own(service: ThisService, receiver: Receiver): Record<string, Measure[]> {
  const paces = rates.map((rate) => ({ rate, seconds }));
  const few = { ...service, startWorker: () => service.startWorker(fewSlots) };
  const pace = { rate: rates[0]!, seconds };
  return {
    latency: [() => latency(service, receiver, { paces, how: 'commit' })],
    drain: [() => drain(service, receiver, { events, endpoints: 1, waiting: waitingRetries })],
    hanging: [() => latencyWithHanging(few, receiver, { pace, hanging, name: 'hanging_few' })],
    writes: [() => writes(service, receiver, seconds)],
  };
}

async function main(postgresUrl: string, folder: string): Promise<void> {
  const receiver = await startReceiver();
  const service = await startThisService(postgresUrl);
  const candidates: Candidate[] = [service];
  if (program) candidates.push(await startSvix({ postgresUrl, folder, program, redis }));
  const measures = candidates.map((candidate) => ({ contestant: candidate, byPart: shared(candidate, receiver) }));
  measures.push({ contestant: service, byPart: own(service, receiver) });
  const completed: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const part of parts) {
      const ofPart = measures.flatMap(({ contestant: { name }, byPart }) =>
        (byPart[part] ?? []).map((measure) => ({ name, measure })),
      );
      for (const { name, measure } of orderOf(ofPart, round)) {
        const figures = await measure();
        completed.push({ contestant: name, round, figures });
        console.log(`${round + 1} ${name}: ${format(figures)}`);
      }
    }
  }
  await service.close();
  await write(completed);
}

function format(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value < 10 ? value.toFixed(2) : value.toFixed(0)}`)
    .join(', ');
}

/** Keeps the figures of parts that were not measured now, and of earlier rounds with ADD. */
async function write(completed: Round[]): Promise<void> {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB; Node ${process.version}`;
  const fixed = {
    many_endpoints: manyEndpoints,
    hanging,
    few_places: fewSlots,
    killed_events: killedEvents,
    waiting_retries: waitingRetries,
  };
  const before = await readFile(rawFile, 'utf8').then(
    (text) => JSON.parse(text) as Raw,
    () => undefined,
  );
  const measured = new Set(
    completed.flatMap(({ contestant: candidate, figures }) => Object.keys(figures).map((name) => candidate + name)),
  );
  const retained = (before?.measured ?? []).filter(
    ({ contestant: candidate, figures }) =>
      isAdded || !Object.keys(figures).some((name) => measured.has(candidate + name)),
  );
  const ofParts = { ...(parts.includes('latency') && { seconds }), ...(parts.includes('drain') && { events }) };
  const options = { seconds, events, ...before?.options, ...ofParts, ...fixed };
  const raw: Raw = { machine, options, measured: [...retained, ...completed] };
  await writeFile(rawFile, `${JSON.stringify(raw, null, 1)}\n`);
  await writeFile(pageFile, report(raw));
}

const database = await startBenchDatabase({ shared_buffers: '1GB', max_wal_size: '4GB' });
const end = setTimeout(() => {
  console.error('stopped: it takes too long');
  stopServers();
  process.exitCode = 1;
  void database.end();
}, maxMs);
const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => {
  throw new Error('interrupted');
});
try {
  await Promise.race([main(database.url, database.folder), interrupted]);
} finally {
  clearTimeout(end);
  await database.end();
}
