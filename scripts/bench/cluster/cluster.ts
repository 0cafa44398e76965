// Benchmarks Citus: the service's writes and reads on plain Postgres, on the same through one more network hop, on a single Citus
// node, and on a coordinator with one and two workers. `make bench NAME=cluster`, with ROUNDS=5, SECONDS=2.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataFolder } from '../../../src/platform/config/development.ts';
import { addCollaborator } from '../../../src/product/collaborators/write/add-collaborator.ts';
import { counted } from '../../../src/product/collaborators/write/collaborator-counts.ts';
import { findCitus } from '../../cluster/find-citus.ts';
import { markdownTable, rangeOf, shownRange } from '../harness/figures.ts';
import { orderOf } from '../harness/order.ts';
import { type Contestant, clusterContestant, newPerson, plainContestants } from './contestants.ts';
import { processorOf } from './processor.ts';

const turns = 200;
const atOnce = 8;
const rounds = Number(process.env.ROUNDS || 5);
const seconds = Number(process.env.SECONDS || 2);
const built = resolve(join(dataFolder(process.env), 'cluster', 'built'));

type Work = (contestant: Contestant, n: number) => Promise<unknown>;

/** Per round: latency of sequential operations in ms; throughput and CPU time (queried node, workers) of concurrent ones. */
interface Figures {
  took_ms: number[];
  per_s: number[];
  first_ms: number[];
  workers_ms: number[];
}

const works: Record<'write' | 'read', Work> = {
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
const contestants: Contestant[] = [];
try {
  const options = { folder, built, at_once: atOnce };
  contestants.push(...(await plainContestants(options)));
  for (const workers of [0, 1, 2]) contestants.push(await clusterContestant(workers, options));
  for (const { name, plan } of contestants) console.log(`a read on ${name}: ${plan}`);
  for (const [name, work] of Object.entries(works)) report(name, await measure(work));
} finally {
  for (const { close } of contestants.reverse()) await close();
  await rm(folder, { recursive: true, force: true });
}

async function measure(work: Work): Promise<Map<Contestant, Figures>> {
  const figures = new Map<Contestant, Figures>();
  for (const one of contestants) {
    figures.set(one, { took_ms: [], per_s: [], first_ms: [], workers_ms: [] });
    await throughput(one, work); // warm-up: compiles code and plans statements on all connections
  }
  for (let round = 0; round < rounds; round++) {
    const order = orderOf(contestants, round);
    for (const [one, tookMs] of await latencies(order, work)) figures.get(one)!.took_ms.push(tookMs);
    for (const one of order) {
      const { per_s: perS, first_ms: firstMs, workers_ms: workersMs } = await throughput(one, work);
      const its = figures.get(one)!;
      its.per_s.push(perS);
      its.first_ms.push(firstMs);
      its.workers_ms.push(workersMs);
    }
  }
  return figures;
}

/** Sequential operations, alternating between contestants, so that background load affects all of them. @returns medians in ms */
async function latencies(order: Contestant[], work: Work): Promise<Map<Contestant, number>> {
  const took = new Map(order.map((one): [Contestant, number[]] => [one, []]));
  for (let n = 0; n < turns; n++) {
    for (const one of orderOf(order, n)) {
      const startedMs = performance.now();
      await work(one, n);
      took.get(one)!.push(performance.now() - startedMs);
    }
  }
  return new Map([...took].map(([one, values]) => [one, rangeOf(values).median]));
}

/** Concurrent operations; each connection starts the next one right away. */
async function throughput(one: Contestant, work: Work) {
  const used = () => one.pids.map((pid) => processorOf(pid) ?? Number.NaN);
  const before = used();
  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1_000;
  let done = 0;
  const go = async (first: number) => {
    for (let n = first; performance.now() < endsMs; n += atOnce) {
      await work(one, n);
      done++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, first) => go(first)));
  const tookS = (performance.now() - startedMs) / 1_000;
  const [first, ...workers] = used().map((ms, at) => (ms - before[at]!) / done);
  return { per_s: done / tookS, first_ms: first!, workers_ms: workers.reduce((sum, ms) => sum + ms, 0) };
}

function report(name: string, figures: Map<Contestant, Figures>): void {
  const all = [...figures];
  const behindHop = all[1]![1];
  const rows = all.map(([one, { took_ms: tookMs, per_s: perS, first_ms: firstMs, workers_ms: workersMs }]) => [
    one.name,
    shownRange(rangeOf(tookMs), 2),
    shownRange(rangeOf(tookMs.map((ms, round) => ms / behindHop.took_ms[round]!)), 2),
    shownRange(rangeOf(perS)),
    rangeOf(firstMs).median.toFixed(2),
    one.pids.length > 1 ? rangeOf(workersMs).median.toFixed(2) : '',
  ]);
  const head = [
    'on',
    `one ${name}, ms`,
    'to one Postgres behind a hop',
    `${name}s/s, ${atOnce} at once`,
    'processor of who is asked, ms each',
    'of all workers, ms each',
  ];
  console.log(`\n${markdownTable(head, rows)}`);
}
