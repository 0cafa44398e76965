// Measures webhooks: how fast a backlog drains (beside bare requests, and beside 100,000 waiting retries), how long an
// event takes to its receiver, and what subscriptions cost those who write.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createClient } from '../../src/identity/clients/clients.ts';
import { type Database, openDatabase } from '../../src/platform/db/client.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../src/platform/schema/migrate-queue.ts';
import { createCompany } from '../../src/product/companies/companies.ts';
import { createTransport } from '../../src/product/delivery/transport.ts';
import { emit } from '../../src/product/events/emit.ts';
import { signatures } from '../../src/product/webhooks/signatures.ts';
import { requestHeaders } from '../../src/product/webhooks/webhook-headers.ts';
import { signIn } from '../run/sign-in.ts';
import { startGround } from './ground.ts';
import { startServer, stopServer } from './servers.ts';

const [backlog = 10_000, seconds = 10, rounds = 3] = process.argv.slice(2).map(Number);
const email = 'admin@example.com';
const password = randomBytes(12).toString('hex');
const settings = {
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  RATE_LIMIT_REQUESTS_PER_MIN: '100000000',
  RATE_LIMIT_WRITES_PER_MIN: '100000000',
};

interface Bench {
  url: string;
  db: Database;
  direct: pg.Client;
  company_id: string;
  client_id: string;
  receiver: string;
}

interface Arrivals {
  delays_ms: number[];
  first_ms: number;
  last_ms: number;
}

async function main(postgres_url: string): Promise<void> {
  const bench = await prepare(postgres_url);
  console.log(`webhooks, one worker process, one local receiver process, Postgres on the same machine\n`);
  await drains(bench);
  await latencies(bench);
  await writes(bench);
  await bench.direct.end();
  await bench.db.close();
}

async function prepare(postgres_url: string): Promise<Bench> {
  const admin = new pg.Client(postgres_url);
  await admin.connect();
  await admin.query('create database bench_webhooks');
  await admin.end();
  const there = new URL(postgres_url);
  there.pathname = '/bench_webhooks';
  const url = there.href;
  await migrate(url);
  await migrateQueue(url);
  const db = openDatabase({ url, pool_size: 4, connect_timeout_ms: 5_000, statement_timeout_ms: 600_000 });
  const person = { name: 'Ada Admin', email, password, position: 'Head', department: 'Board' };
  const { company } = await createCompany(db, 'Bench', person);
  const client = await createClient(db, { name: 'Bench', redirect_uris: ['http://127.0.0.1/callback'], public: true });
  const receiver = await startServer(['scripts/bench/peers/receiver.ts'], {});
  const direct = new pg.Client(url);
  await direct.connect();
  return { url, db, direct, company_id: company.id, client_id: client.id, receiver };
}

/** A backlog, from the first request to the last; the bare requests are the same without anything behind them. */
async function drains(bench: Bench): Promise<void> {
  const figures = { bare: [] as number[], drain: [] as number[], beside: [] as number[] };
  await subscriptions(bench, 1);
  for (let round = 0; round < rounds; round++) {
    figures.bare.push(await bareRate(bench));
    figures.drain.push(await drainRate(bench));
    await waitingRetries(bench, 100_000);
    figures.beside.push(await drainRate(bench));
    console.log(
      Object.entries(figures)
        .map(([name, rates]) => `${name} ${rates.at(-1)!.toFixed(0)}/s`)
        .join(', '),
    );
    await bench.direct.query('delete from graphile_worker._private_jobs');
    await bench.direct.query('truncate deliveries, attempts, events, outbox');
  }
  const [bare, drain, beside] = [median(figures.bare), median(figures.drain), median(figures.beside)];
  console.log(`| backlog of ${backlog}, ${rounds} rounds | per second (median, min–max) | ratio |`);
  console.log('| --- | --- | --- |');
  console.log(`| bare: sign and send, nothing behind it | ${range(figures.bare)} | 1 |`);
  console.log(`| drain | ${range(figures.drain)} | ${(drain / bare).toFixed(2)} of bare |`);
  console.log(
    `| drain beside 100,000 waiting retries | ${range(figures.beside)} | ${(beside / drain).toFixed(2)} of drain |\n`,
  );
}

async function bareRate({ receiver }: Bench): Promise<number> {
  const transport = createTransport({ allow_private: true, timeout_ms: 30_000 });
  const secrets = [`whsec_${randomBytes(32).toString('base64')}`];
  const data = { event_type: 'X', timestamp: new Date().toISOString() };
  const body = Buffer.from(JSON.stringify({ event: 'x', data }));
  let left = backlog;
  const started = performance.now();
  const send = async () => {
    while (left-- > 0) {
      const timestamp_s = Math.floor(Date.now() / 1000);
      const of_event = { event: 'x', event_id: 'x', idempotency_key: null, timestamp_s, stored: {} };
      const headers = requestHeaders({ ...of_event, signatures: signatures(secrets, 'x', timestamp_s, body) });
      await transport.send({ url: receiver, headers, body, hidden: [] });
    }
  };
  await Promise.all(Array.from({ length: 20 }, send));
  const rate = backlog / ((performance.now() - started) / 1000);
  await transport.close();
  await arrivals(receiver, backlog);
  return rate;
}

/** The worker starts with the backlog there, so that its start does not count: from the first arrival to the last. */
async function drainRate(bench: Bench): Promise<number> {
  await emitMany(bench, backlog);
  const worker = await startServer(['src/main.ts', 'worker'], { DATABASE_URL: bench.url, ...settings });
  const { first_ms, last_ms } = await arrivals(bench.receiver, backlog);
  stopServer(worker);
  return backlog / ((last_ms - first_ms) / 1000);
}

async function waitingRetries({ direct, company_id }: Bench, count: number): Promise<void> {
  await direct.query(
    `with waiting as (
       insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, due_at, failures, attempt_count)
       select $1, gen_random_uuid(), w.id, gen_random_uuid(), 'report.created', 'envelope', now() + interval '1 hour', 1, 1
       from webhooks w, generate_series(1, $2::int) returning id, webhook_id
     )
     insert into graphile_worker._private_jobs (task_id, payload, run_at, key)
     select t.id, json_build_object('company_id', $1::text, 'webhook_id', webhook_id), now() + interval '1 hour', 'retry:' || w.id
     from waiting w, graphile_worker._private_tasks t where t.identifier = 'deliver'`,
    [company_id, count],
  );
  await direct.query('analyze');
}

async function latencies(bench: Bench): Promise<void> {
  const worker = await startServer(['src/main.ts', 'worker'], { DATABASE_URL: bench.url, ...settings });
  console.log(`| commit → received, ${seconds} s | p50 | p95 | p99 | longest |`);
  console.log('| --- | --- | --- | --- | --- |');
  await paced(bench, 50, 2); // warm
  await arrivals(bench.receiver, 100);
  for (const rate of [50, 200]) {
    await paced(bench, rate, seconds);
    const { delays_ms } = await arrivals(bench.receiver, rate * seconds);
    const at = (q: number) => `${quantile(delays_ms, q)} ms`;
    console.log(`| ${rate}/s | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} | ${at(1)} |`);
  }
  console.log('');
  stopServer(worker);
}

/** Events one by one, evenly spread over the time, each in a transaction of its own. */
async function paced(bench: Bench, rate: number, for_s: number): Promise<void> {
  const started = performance.now();
  const running: Promise<void>[] = [];
  for (let n = 0; n < rate * for_s; n++) {
    const wait_ms = started + (n * 1000) / rate - performance.now();
    if (wait_ms > 1) await sleep(wait_ms);
    running.push(emitMany(bench, 1));
  }
  await Promise.all(running);
}

/** What writers pay: creating collaborators by the API, without subscriptions and with five that match. */
async function writes(bench: Bench): Promise<void> {
  const base_url = await startServer(['src/main.ts', 'api'], { DATABASE_URL: bench.url, ...settings });
  const { access_token } = await signIn({ base_url, client_id: bench.client_id, email, password } as never);
  const headers = { authorization: `Bearer ${access_token}`, 'x-company-id': bench.company_id };
  const figures = { without: [] as number[], five: [] as number[], worker: [] as number[] };
  const create = async () => {
    let count = 0;
    const until = performance.now() + 4_000;
    const one = async () => {
      while (performance.now() < until) {
        const unique = randomBytes(8).toString('hex');
        const body = { name: `Person ${unique}`, email: `${unique}@example.com`, position: 'x', department: 'y' };
        const answer = await fetch(`${base_url}/v1/collaborators`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        if (answer.status !== 201) throw new Error(await answer.text());
        await answer.arrayBuffer();
        count++;
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
    return count / 4;
  };
  await create(); // warm
  for (let round = 0; round < rounds; round++) {
    await subscriptions(bench, 0);
    figures.without.push(await create());
    await subscriptions(bench, 5);
    figures.five.push(await create());
    const worker = await startServer(['src/main.ts', 'worker'], { DATABASE_URL: bench.url, ...settings });
    await sleep(2_000);
    figures.worker.push(await create());
    stopServer(worker);
  }
  const without = median(figures.without);
  console.log(`| creates by the API, 8 at a time, ${rounds} rounds of 4 s | per second | ratio |`);
  console.log('| --- | --- | --- |');
  console.log(`| no subscription | ${range(figures.without)} | 1 |`);
  console.log(
    `| five subscriptions that match | ${range(figures.five)} | ${(median(figures.five) / without).toFixed(2)} |`,
  );
  const busy = (median(figures.worker) / without).toFixed(2);
  console.log(
    `| the same, with a worker on the same two cores that sends meanwhile | ${range(figures.worker)} | ${busy} |`,
  );
}

/** Exactly this many, to everything. */
async function subscriptions({ direct, url, company_id, client_id, receiver }: Bench, count: number): Promise<void> {
  await direct.query('delete from webhooks');
  await direct.query('truncate deliveries, attempts');
  if (count === 0) return;
  const base_url = await startServer(['src/main.ts', 'api'], { DATABASE_URL: url, ...settings });
  const { access_token } = await signIn({ base_url, client_id, email, password } as never);
  for (let n = 0; n < count; n++) {
    const answer = await fetch(`${base_url}/v1/webhooks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'x-company-id': company_id,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url: receiver, events: ['*'] }),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
  }
  stopServer(base_url);
}

async function emitMany({ db, company_id }: Bench, count: number): Promise<void> {
  const batch = 500;
  for (let done = 0; done < count; done += batch) {
    await db.tenant(company_id).transaction(async (tx) => {
      for (let n = done; n < Math.min(done + batch, count); n++) {
        const report = { id: `report-${n}`, kind: 'collaborators', title: 'Made by a measurement', period: null };
        emit(tx, 'report.created', report as never, { idempotency_key: `report-${n}` });
      }
    });
  }
}

/** Waits until as many have come, or none has for a while. */
async function arrivals(receiver: string, count: number): Promise<Arrivals> {
  const all: Arrivals = { delays_ms: [], first_ms: 0, last_ms: 0 };
  for (let idle = 0; all.delays_ms.length < count && idle < 100; ) {
    await sleep(100);
    const { delays_ms, first_ms, last_ms } = (await (await fetch(receiver)).json()) as Arrivals;
    idle = delays_ms.length > 0 ? 0 : idle + 1;
    if (delays_ms.length === 0) continue;
    all.delays_ms.push(...delays_ms);
    all.first_ms ||= first_ms;
    all.last_ms = last_ms;
  }
  if (all.delays_ms.length < count) throw new Error(`${all.delays_ms.length} of ${count} requests came`);
  return all;
}

function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;
}

function median(values: number[]): number {
  return quantile(values, 0.5);
}

function range(values: number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(0)} (${low.toFixed(0)}–${high.toFixed(0)})`;
}

const ground = await startGround({ shared_buffers: '1GB', max_wal_size: '4GB' });
try {
  await main(ground.url);
} finally {
  await ground.end();
}
