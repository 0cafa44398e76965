// Benchmarks Citus: the service's writes and reads on plain Postgres, on the same through one more network hop, on a single Citus
// node, and on a coordinator with one and two workers. `make bench NAME=cluster`, with ROUNDS=5, SECONDS=2.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataFolder } from '../../../src/platform/config/development.ts';
import { addCollaborator } from '../../../src/product/collaborators/write/add-collaborator.ts';
import { counted } from '../../../src/product/collaborators/write/collaborator-counts.ts';
import { findCitus } from '../../cluster/find-citus.ts';
import { formatMedian, markdownTable, rangeOf } from '../harness/figures.ts';
import { orderOf } from '../harness/order.ts';
import { type Candidate, clusterCandidate, newPerson, plainCandidates } from './candidates.ts';
import { cpuTimeMs } from './processor.ts';

const operationCount = 200;
const concurrency = 8;
const rounds = Number(process.env.ROUNDS || 5);
const seconds = Number(process.env.SECONDS || 2);
const built = resolve(join(dataFolder(process.env), 'cluster', 'built'));

type Workload = (candidate: Candidate, n: number) => Promise<unknown>;

/** Per round: latency of sequential operations in ms; throughput and CPU time (queried node, workers) of concurrent ones. */
interface Figures {
  took_ms: number[];
  per_s: number[];
  first_ms: number[];
  workers_ms: number[];
}

const workloads: Record<'write' | 'read', Workload> = {
  write({ db, companies }, n) {
    const tenant = db.tenant(companies[n % companies.length]!.id);
    return counted(tenant, (tx) => addCollaborator(tx, { user_id: null }, newPerson()));
  },
  read({ db, companies }, n) {
    const { id, person } = companies[n % companies.length]!;
    const columns = ['name', 'email', 'role'] as const;
    return db.tenant(id).selectFrom('collaborators').select(columns).where('id', '=', person).execute();
  },
};

const { citus, postgres } = await findCitus(process.env, built);
console.log(`Citus ${citus} in Postgres ${postgres.version}; ${rounds} rounds, all machines are this one\n`);
const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-bench-'));
const candidates: Candidate[] = [];
try {
  const options = { folder, built, at_once: concurrency };
  candidates.push(...(await plainCandidates(options)));
  for (const workers of [0, 1, 2]) candidates.push(await clusterCandidate(workers, options));
  for (const { name, plan } of candidates) console.log(`a read on ${name}: ${plan}`);
  for (const [name, work] of Object.entries(workloads)) report(name, await measure(work));
} finally {
  for (const { close } of candidates.reverse()) await close();
  await rm(folder, { recursive: true, force: true });
}

async function measure(work: Workload): Promise<Map<Candidate, Figures>> {
  const figures = new Map<Candidate, Figures>();
  for (const one of candidates) {
    figures.set(one, { took_ms: [], per_s: [], first_ms: [], workers_ms: [] });
    await throughput(one, work); // warm-up: compiles code and plans statements on all connections
  }
  for (let round = 0; round < rounds; round++) {
    const order = orderOf(candidates, round);
    for (const [one, latencyMs] of await latencies(order, work)) figures.get(one)!.took_ms.push(latencyMs);
    for (const one of order) {
      const { per_s: perS, first_ms: firstMs, workers_ms: workersMs } = await throughput(one, work);
      const collected = figures.get(one)!;
      collected.per_s.push(perS);
      collected.first_ms.push(firstMs);
      collected.workers_ms.push(workersMs);
    }
  }
  return figures;
}

/** Sequential operations, alternating between contestants, so that background load affects all of them. @returns medians in ms */
async function latencies(order: Candidate[], work: Workload): Promise<Map<Candidate, number>> {
  const latenciesMs = new Map(order.map((one): [Candidate, number[]] => [one, []]));
  for (let n = 0; n < operationCount; n++) {
    for (const one of orderOf(order, n)) {
      const startedMs = performance.now();
      await work(one, n);
      latenciesMs.get(one)!.push(performance.now() - startedMs);
    }
  }
  return new Map([...latenciesMs].map(([one, values]) => [one, rangeOf(values).median]));
}

/** Concurrent operations; each connection starts the next one right away. */
async function throughput(one: Candidate, work: Workload) {
  const cpuTimesMs = () => one.pids.map((pid) => cpuTimeMs(pid) ?? Number.NaN);
  const before = cpuTimesMs();
  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1_000;
  let done = 0;
  const runLane = async (first: number) => {
    for (let n = first; performance.now() < endsMs; n += concurrency) {
      await work(one, n);
      done++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, first) => runLane(first)));
  const durationS = (performance.now() - startedMs) / 1_000;
  const [first, ...workers] = cpuTimesMs().map((ms, at) => (ms - before[at]!) / done);
  return { per_s: done / durationS, first_ms: first!, workers_ms: workers.reduce((sum, ms) => sum + ms, 0) };
}

function report(name: string, figures: Map<Candidate, Figures>): void {
  const all = [...figures];
  const behindHop = all[1]![1];
  const rows = all.map(([one, { took_ms: latencyMs, per_s: perS, first_ms: firstMs, workers_ms: workersMs }]) => [
    one.name,
    formatMedian(latencyMs, 2),
    formatMedian(
      latencyMs.map((ms, round) => ms / behindHop.took_ms[round]!),
      2,
    ),
    formatMedian(perS),
    rangeOf(firstMs).median.toFixed(2),
    one.pids.length > 1 ? rangeOf(workersMs).median.toFixed(2) : '',
  ]);
  const head = [
    'on',
    `one ${name}, ms`,
    'to one Postgres behind a hop',
    `${name}s/s, ${concurrency} at once`,
    'processor time of the first node, ms each',
    'of all workers, ms each',
  ];
  console.log(`\n${markdownTable(head, rows)}`);
}
