// Measures imports and exports of 100,000 people with 15 columns, beside the least that the same work can cost: reading
// the file and a COPY of its rows, and writing the same rows. Also what they cost in memory, how long requests have to
// wait meanwhile, and the own reader and writer beside those of other libraries. All runs take turns.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createCompany } from '../../src/accounts/companies.ts';
import { openDatabase } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrateQueue } from '../../src/jobs/runner.ts';
import { createClient } from '../../src/oauth/clients.ts';
import { signIn } from '../sign-in.ts';
import { startServer, stopServer, stopServers } from './servers.ts';

const [rows = 100_000, rounds = 3] = process.argv.slice(2).map(Number);
const email = 'admin@example.com';
const password = randomBytes(12).toString('hex');
const settled_ms = 3_000;
const exports_a_round = 3;
const poll_ms = 50;

interface Bench {
  direct: pg.Client;
  base_url: string;
  token: string;
  company_id: string;
  api: Watch;
  worker: Watch;
  /** In place of one whose memory has grown with what it did before. */
  freshWorker(): Promise<void>;
  close(): Promise<void>;
}

/** Of both processes, since it was last asked. */
interface Watch {
  port: number;
  idle_mb: number;
}

interface Costs {
  api_mb: number;
  worker_mb: number;
  p99_ms: number;
}

const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-bench-'));
await chmod(folder, 0o755); // the server of the database reads files of it
const postgres = await startEmbedded(join(folder, 'postgres'), { shared_buffers: '1GB', max_wal_size: '4GB' });
try {
  await libraries();
  await service(postgres.url);
} finally {
  stopServers();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Readers and writers alone, each in a process of its own. */
async function libraries(): Promise<void> {
  const file = (name: string) => join(folder, name);
  const works = [
    ['write-xlsx', file('people.xlsx')],
    ['write-xlsx, package xlsx', file('other.xlsx')],
    ['write-xlsx, package write-excel-file', file('other.xlsx')],
    ['write-csv', file('people.csv')],
    ['read', file('people.xlsx')],
    ['read, package xlsx', file('people.xlsx')],
    ['read', file('people.csv')],
    ['read, package xlsx', file('people.csv')],
  ] as const;
  const figures = works.map(() => ({ seconds: [] as number[], peak_mb: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const [at, [work, path]] of works.entries()) {
      const { seconds, peak_mb } = await alone(work, path);
      figures[at]!.seconds.push(seconds);
      figures[at]!.peak_mb.push(peak_mb);
    }
  }
  console.log(`${rows} rows × 15 columns, ${rounds} rounds, median (min–max); Node ${process.version}\n`);
  console.log('| alone, in a process of its own | seconds | peak memory, MB |\n| --- | --- | --- |');
  for (const [at, [work, path]] of works.entries()) {
    const { seconds, peak_mb } = figures[at]!;
    console.log(`| ${work}: ${path.split('.').at(-1)} | ${range(seconds, 2)} | ${range(peak_mb)} |`);
  }
  const sizes = await Promise.all(['people.xlsx', 'people.csv'].map(async (name) => (await stat(file(name))).size));
  console.log(`\nsizes: ${sizes.map((size) => `${(size / 1024 / 1024).toFixed(1)} MB`).join(' and ')}\n`);
}

async function alone(work: string, file: string): Promise<{ seconds: number; peak_mb: number }> {
  const args = ['scripts/bench/peers/sheet-work.ts', work, String(rows), file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { ms, peak_mb } = JSON.parse(await text(child.stdout));
  return { seconds: ms / 1_000, peak_mb };
}

/** The whole, with API and worker as deployed. Each import begins with a new database, as the COPY does with new tables. */
async function service(url: string): Promise<void> {
  const figures = {
    xlsx: newFigures(),
    csv: newFigures(),
    export: newFigures(),
    copy_all: [] as number[],
  };
  for (let round = 0; round < rounds; round++) {
    for (const format of ['xlsx', 'csv'] as const) {
      const file = join(folder, `people.${format}`);
      const bench = await prepare(await newDatabase(url, `${format}_${round}`));
      const { company_id } = bench;
      const { seconds: read } = await alone('read', file);
      const { seconds, ...costs } = await watched(bench, () => imported(bench, company_id, file));
      const copy = await copied(bench, company_id, ['collaborators']);
      add(figures[format], seconds, read + copy, costs);
      if (format === 'xlsx') {
        figures.copy_all.push(await copied(bench, company_id, ['collaborators', 'collaborator_history', 'events']));
        // What the import left behind for the database to do is not part of an export.
        for (const upkeep of ['vacuum analyze', 'checkpoint']) await bench.direct.query(upkeep);
        for (let time = 0; time < exports_a_round; time++) {
          await bench.freshWorker();
          const raw = await alone('write-xlsx, all columns', join(folder, 'other.xlsx')); // an export has more than 15
          const made = await watched(bench, () => exported(bench, company_id));
          add(figures.export, made.seconds, raw.seconds, made);
        }
      }
      await bench.close();
    }
  }
  console.log(
    '| the service | seconds | the least, seconds | ratio | API above idle, MB | worker above idle, MB | event-loop delay of the API, p99, ms |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  report('import xlsx; read + COPY of the people', figures.xlsx);
  report('import csv; read + COPY of the people', figures.csv);
  report('export xlsx; writing the same rows and columns', figures.export);
  console.log(`\nCOPY of all that an import writes (people, history, events): ${range(figures.copy_all, 2)} s`);
}

async function newDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

async function prepare(url: string): Promise<Bench> {
  await migrate(url);
  await migrateQueue(url);
  const db = openDatabase({ url, pool_size: 2, connect_timeout_ms: 5_000, statement_timeout_ms: 600_000 });
  const person = { name: 'Ada Admin', email, password, position: 'Head', department: 'Board' };
  const { company } = await createCompany(db, 'Bench', person);
  const client = await createClient(db, { name: 'Bench', redirect_uris: ['http://127.0.0.1/callback'], public: true });
  await db.close();
  const settings = {
    DATABASE_URL: url,
    STORAGE_URL: `file:${join(folder, 'files')}`,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_REQUESTS_PER_MIN: '1000000',
    RATE_LIMIT_WRITES_PER_MIN: '1000000',
    RATE_LIMIT_UPLOADS_PER_MIN: '1000000',
    RATE_LIMIT_HEAVY_PER_MIN: '1000000',
  };
  const start = async (role: 'api' | 'worker', more: Record<string, string> = {}) => {
    const port = await freePort();
    const memory = role === 'worker' ? ['--max-semi-space-size=32'] : []; // as in compose.yaml
    const args = [...memory, '--import', './scripts/bench/peers/watched.ts', 'src/main.ts', role];
    return { port, base_url: await startServer(args, { ...settings, WATCH_PORT: String(port), ...more }) };
  };
  const api = await start('api');
  const startWorker = () => start('worker', { BASE_URL: api.base_url });
  let worker = await startWorker();
  const { base_url } = api;
  const { access_token: token } = await signIn({ base_url, client_id: client.id, email, password });
  const direct = new pg.Client(url);
  await direct.connect();
  await sleep(settled_ms);
  const idle = async ({ port }: { port: number }) => ({ port, idle_mb: mb((await watch(port, 'POST')).rss_bytes) });
  const freshWorker = async () => {
    stopServer(worker.base_url);
    worker = await startWorker();
    await sleep(settled_ms);
    bench.worker = await idle(worker);
  };
  const close = async () => {
    stopServer(worker.base_url);
    stopServer(base_url);
    await direct.end();
  };
  const processes = { api: await idle(api), worker: await idle(worker) };
  const bench: Bench = { direct, base_url, token, company_id: company.id, ...processes, freshWorker, close };
  return bench;
}

/** @returns the seconds of `work`, and what it cost both processes */
async function watched({ api, worker }: Bench, work: () => Promise<void>): Promise<Costs & { seconds: number }> {
  await Promise.all([watch(api.port, 'POST'), watch(worker.port, 'POST')]);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  const [of_api, of_worker] = await Promise.all([watch(api.port), watch(worker.port)]);
  await sleep(settled_ms);
  return {
    seconds,
    api_mb: Math.max(0, mb(of_api.peak_bytes) - api.idle_mb),
    worker_mb: Math.max(0, mb(of_worker.peak_bytes) - worker.idle_mb),
    p99_ms: of_api.p99_ms,
  };
}

/** Of an import or an export, what is looked at. */
interface Job {
  id: string;
  status: string;
  counts: { created: number };
  row_count: number;
}

/** From the first byte of the upload until it is completed. */
async function imported(bench: Bench, company_id: string, file: string): Promise<void> {
  const form = new FormData();
  form.append('file', await openAsBlob(file), file.split('/').at(-1)!);
  const { id } = await request(bench, company_id, '/v1/collaborators/import', { method: 'POST', body: form });
  const { status, counts } = await ended(bench, company_id, `/v1/imports/${id}`);
  if (status !== 'completed' || counts.created !== rows) throw new Error(`${status}: ${JSON.stringify(counts)}`);
}

async function exported(bench: Bench, company_id: string): Promise<void> {
  const { id } = await request(bench, company_id, '/v1/collaborators/export/list');
  const { status, row_count } = await ended(bench, company_id, `/v1/exports/${id}`);
  if (status !== 'completed' || row_count !== rows + 1) throw new Error(`${status}: ${row_count} rows`);
}

async function ended(bench: Bench, company_id: string, path: string): Promise<Job> {
  for (;;) {
    const job = await request(bench, company_id, path);
    if (!['queued', 'validating', 'processing'].includes(job.status)) return job;
    await sleep(poll_ms);
  }
}

async function request(
  { base_url, token }: Bench,
  company_id: string,
  path: string,
  init: RequestInit = {},
): Promise<Job> {
  const headers = { authorization: `Bearer ${token}`, 'x-company-id': company_id };
  const answer = await fetch(base_url + path, { ...init, headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Job;
}

/**
 * The rows of a company as a file of the database's own, read by COPY into new tables with the same columns, checks and
 * indexes.
 * @returns the seconds of COPY
 */
async function copied({ direct }: Bench, company_id: string, tables: string[]): Promise<number> {
  let ms = 0;
  for (const table of tables) {
    const { rows: columns } = await direct.query<{ name: string }>(
      `select quote_ident(column_name) as name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
      [table],
    );
    const list = columns.map(({ name }) => name).join(', ');
    const file = `'${join(folder, 'postgres', 'rows.copy')}'`;
    await direct.query(`copy (select ${list} from ${table} where company_id = '${company_id}') to ${file}`);
    await direct.query(`create table copied (like ${table} including all)`);
    const started = performance.now();
    await direct.query(`copy copied (${list}) from ${file}`);
    ms += performance.now() - started;
    await direct.query('drop table copied');
  }
  return ms / 1_000;
}

interface Figures {
  seconds: number[];
  least: number[];
  costs: Costs[];
}

function newFigures(): Figures {
  return { seconds: [], least: [], costs: [] };
}

function add({ seconds, least, costs }: Figures, taken: number, at_least: number, cost: Costs): void {
  seconds.push(taken);
  least.push(at_least);
  costs.push(cost);
}

function report(name: string, { seconds, least, costs }: Figures): void {
  const ratios = seconds.map((taken, round) => taken / least[round]!);
  const cost = (key: keyof Costs) => range(costs.map((each) => each[key]));
  const cells = [
    range(seconds, 1),
    range(least, 1),
    range(ratios, 2),
    cost('api_mb'),
    cost('worker_mb'),
    cost('p99_ms'),
  ];
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}

function range(values: number[], digits = 0): string {
  const sorted = values.toSorted((a, b) => a - b).map((value) => value.toFixed(digits));
  return `${sorted[sorted.length >> 1]} (${sorted[0]}–${sorted.at(-1)})`;
}

async function watch(port: number, method = 'GET') {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method });
  return (await answer.json()) as { rss_bytes: number; peak_bytes: number; p99_ms: number };
}

function mb(bytes: number): number {
  return bytes / 1024 / 1024;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
