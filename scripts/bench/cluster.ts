// What a Citus cluster costs and brings: the writes and reads of the service on one Postgres behind a hop of TCP, on one
// machine with Citus, and on a coordinator with one and with two workers. `make bench-cluster`, with ROUNDS=4, SECONDS=3.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/platform/db/client.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../src/platform/schema/migrate-queue.ts';
import { addCollaborator } from '../../src/product/collaborators/add-collaborator.ts';
import { counted } from '../../src/product/collaborators/collaborator-counts.ts';
import { createCompany } from '../../src/product/companies/companies.ts';
import { findCitus } from '../cluster/find-citus.ts';
import { type Nodes, startNodes } from '../cluster/nodes.ts';
import { startCluster } from '../cluster/start-cluster.ts';
import { quiet } from '../run/progress.ts';
import { markdownTable, rangeOf, shownRange } from './figures.ts';
import { orderOf } from './order.ts';

const companies_count = 20;
const turns = 150;
const at_once = 8;
const rounds = Number(process.env.ROUNDS ?? 4);
const seconds = Number(process.env.SECONDS ?? 3);
const built = resolve('.data/cluster/built');

interface Contestant {
  name: string;
  db: Database;
  /** Each with somebody in it. */
  companies: { id: string; person: string }[];
  figures: Record<'write_ms' | 'read_ms' | 'writes_s' | 'reads_s', number[]>;
}

const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-bench-'));
const opened: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const { citus, postgres } = await findCitus(process.env, built);
  console.log(`Citus ${citus} in Postgres ${postgres.version}; ${rounds} rounds, all machines are this one\n`);
  const contestants = [
    await contestant('one Postgres, a hop of TCP before it', await plain()),
    await contestant('Citus on one machine', await cluster(0)),
    await contestant('a coordinator and one worker', await cluster(1)),
    await contestant('a coordinator and two workers', await cluster(2)),
  ];
  for (const one of contestants) await measure(one, false); // everything is compiled and planned
  for (let round = 0; round < rounds; round++) for (const one of orderOf(contestants, round)) await measure(one, true);
  report(contestants);
} finally {
  for (const close of opened.reverse()) await close();
}

async function plain(): Promise<string> {
  const { postgres } = await findCitus(process.env, built);
  const settings = { shared_preload_libraries: '' };
  const nodes: Nodes = await startNodes({
    postgres,
    folder: join(folder, 'plain'),
    workers: 0,
    password: 'x',
    settings,
  });
  opened.push(nodes.stop);
  const url = new URL(nodes.urls[0]!);
  url.pathname = '/collaborators';
  await migrate(url.href);
  await migrateQueue(url.href);
  url.port = String(await hopTo(Number(url.port)));
  return url.href;
}

/** What lies between a coordinator and its worker, and nothing else. */
async function hopTo(port: number): Promise<number> {
  const server = createServer({ noDelay: true }, (here) => {
    const there = connect({ port, host: '127.0.0.1', noDelay: true });
    here.pipe(there).pipe(here);
    for (const socket of [here, there]) socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(async () => server.close());
  return (server.address() as AddressInfo).port;
}

async function cluster(workers: number): Promise<string> {
  const started = await startCluster({ folder: join(folder, `of-${workers}`), workers, built, progress: quiet });
  opened.push(started.stop);
  return started.url;
}

async function contestant(name: string, url: string): Promise<Contestant> {
  const db = openDatabase({ url, pool_size: at_once, connect_timeout_ms: 5_000, statement_timeout_ms: 30_000 });
  opened.push(db.close);
  const companies: Contestant['companies'] = [];
  for (let n = 0; n < companies_count; n++) {
    const admin = { ...person(), password: 'correct horse battery staple' };
    const made = await createCompany(db, `Company ${n}`, admin);
    companies.push({ id: made.company.id, person: made.admin.collaborator_id });
  }
  if (name !== 'one Postgres, a hop of TCP before it') console.log(`${name}: ${await planOf(url, companies[0]!)}`);
  return { name, db, companies, figures: { write_ms: [], read_ms: [], writes_s: [], reads_s: [] } };
}

async function planOf(url: string, { id, person }: { id: string; person: string }): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    `explain (costs off) select name from collaborators where company_id = '${id}' and id = '${person}'`,
  );
  await client.end();
  return rows
    .map((row) => String(row['QUERY PLAN']).trim())
    .filter((line) => /Task Count|Node:/.test(line))
    .join(', ');
}

async function measure({ db, companies, figures }: Contestant, counts: boolean): Promise<void> {
  const write = (n: number) => {
    const tenant = db.tenant(companies[n % companies_count]!.id);
    return counted(tenant, (tx) => addCollaborator(tx, { user_id: null }, person()));
  };
  const read = (n: number) => {
    const { id, person } = companies[n % companies_count]!;
    return db
      .tenant(id)
      .selectFrom('collaborators')
      .select(['name', 'email', 'role'])
      .where('id', '=', person)
      .execute();
  };
  const measured = {
    write_ms: await latency(write),
    read_ms: await latency(read),
    writes_s: await throughput(write),
    reads_s: await throughput(read),
  };
  if (!counts) return;
  for (const [name, value] of Object.entries(measured)) figures[name as keyof typeof measured].push(value);
}

/** @returns the median of one after the other, in milliseconds */
async function latency(work: (n: number) => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < turns; n++) {
    const started_ms = performance.now();
    await work(n);
    took.push(performance.now() - started_ms);
  }
  return rangeOf(took).median;
}

/** @returns how many a second, several at once */
async function throughput(work: (n: number) => Promise<unknown>): Promise<number> {
  const ends_ms = performance.now() + seconds * 1_000;
  let done = 0;
  const go = async (first: number) => {
    for (let n = first; performance.now() < ends_ms; n += at_once) {
      await work(n);
      done++;
    }
  };
  await Promise.all(Array.from({ length: at_once }, (_, first) => go(first)));
  return done / seconds;
}

function person() {
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  return { name: 'Ana Bench', email, position: 'Clerk', department: 'Office' };
}

function report(contestants: Contestant[]): void {
  const base = rangeOf(contestants[0]!.figures.write_ms).median;
  const rows = contestants.map(({ name, figures }) => [
    name,
    shownRange(rangeOf(figures.write_ms), 2),
    `${(rangeOf(figures.write_ms).median / base).toFixed(2)} ×`,
    shownRange(rangeOf(figures.read_ms), 2),
    shownRange(rangeOf(figures.writes_s)),
    shownRange(rangeOf(figures.reads_s)),
  ]);
  const head = ['on', 'one write, ms', 'to one Postgres', 'one read, ms', 'writes/s', 'reads/s'];
  console.log(`\n${markdownTable(head, rows)}`);
}
