// Measures the load of many service processes on one Postgres: idle, while counting requests, and while dispatching events. `make
// bench NAME=processes FLEETS="10:4 50:20"` (API processes and workers), SECONDS=10 for each.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readConfig } from '../../../src/platform/config/config.ts';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { migrate } from '../../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { addWebhook } from '../../../src/product/webhooks/subscriptions/create-webhook.ts';
import { createWebhookSettings } from '../../../src/product/webhooks/subscriptions/webhook-settings.ts';
import { startBenchDatabase } from '../harness/database.ts';
import { markdownTable } from '../harness/figures.ts';
import { startServer } from '../harness/servers.ts';
import { type Fleet, postgresCpu, startFleet } from './fleet.ts';
import type { Load } from './messages.ts';
import { resetStatements, type Work, workByPurpose } from './statements.ts';

const seconds = Number(process.env.SECONDS || 10);
const fleets = (process.env.FLEETS || '10:4 50:20').split(/\s+/).map((fleet) => fleet.split(':').map(Number));
const companiesCount = 100;
const env = {
  NODE_ENV: 'development',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  WEBHOOK_ALLOW_PRIVATE: 'true',
};

/** Totals over all instances. */
const phases: Record<string, Omit<Load, 'companies'>> = {
  idle: { requestsPerS: 0, eventsPerS: 0, signInsPerS: 0, users: 1 },
  '1,000 requests/s of 5,000 users': { requestsPerS: 1_000, eventsPerS: 0, signInsPerS: 0, users: 5_000 },
  '100 events/s of 100 companies, 10 sign-ins/s': {
    requestsPerS: 0,
    eventsPerS: 100,
    signInsPerS: 10,
    users: 1,
  },
};

interface Measurement {
  connections: number;
  work: Map<string, Work>;
  notified: number;
  postgresMs: number;
  serviceMs: number;
  /** From an event to its receiver; empty if there were none. */
  delaysMs: number[];
}

async function measure(client: pg.Client, fleet: Fleet, receiver: string): Promise<Measurement> {
  await sleep(1_500); // let earlier messages take effect
  await arrivals(receiver);
  await resetStatements(client);
  const before = { ...(await fleet.figures()), postgresMs: await postgresCpu(client) };
  const startedMs = performance.now();
  await sleep(seconds * 1_000);
  const after = { ...(await fleet.figures()), postgresMs: await postgresCpu(client) };
  const work = await workByPurpose(client);
  const durationS = (performance.now() - startedMs) / 1_000;
  for (const each of work.values()) {
    each.calls /= durationS;
    each.rows /= durationS;
    each.ms /= durationS;
  }
  const { rows } = await client.query<{ connections: number }>(
    `select count(*)::int as connections from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return {
    connections: rows[0]!.connections,
    work,
    notified: (after.notified - before.notified) / durationS,
    postgresMs: (after.postgresMs - before.postgresMs) / durationS,
    serviceMs: (after.cpuMs - before.cpuMs) / durationS,
    delaysMs: (await arrivals(receiver)).toSorted((a, b) => a - b),
  };
}

/** @returns delays of the webhooks received since the last call */
async function arrivals(receiver: string): Promise<number[]> {
  const come = (await (await fetch(`${receiver}/take`)).json()) as [marker: null, atMs: number, happenedMs: number][];
  return come.map(([, atMs, happenedMs]) => atMs - happenedMs);
}

function table(columns: Map<string, Measurement>): string {
  const all = [...columns.values()];
  const number = (value: number) => Math.round(value).toLocaleString('en');
  const row = (name: string, of: (measured: Measurement) => number) => [name, ...all.map((each) => number(of(each)))];
  const sum = ({ work }: Measurement, of: (work: Work) => number) =>
    [...work.values()].reduce((n, each) => n + of(each), 0);
  const purposes = [...all[0]!.work.keys()];
  const rows = [
    row('connections', ({ connections }) => connections),
    row('statements/s', (measured) => sum(measured, ({ calls }) => calls)),
    ...purposes.map((name) => row(`– ${name}`, ({ work }) => work.get(name)!.calls)),
    row('ms of execution in a second', (measured) => sum(measured, ({ ms }) => ms)),
    ...purposes.map((name) => row(`– ${name}`, ({ work }) => work.get(name)!.ms)),
    row('notifications delivered/s', ({ notified }) => notified),
    row('CPU of Postgres, ms in a second', ({ postgresMs }) => postgresMs),
    row('CPU of all processes of the service, ms in a second', ({ serviceMs }) => serviceMs),
    row('webhooks received/s', ({ delaysMs }) => delaysMs.length / seconds),
    row('event to receiver, median ms', ({ delaysMs }) => delaysMs[Math.floor(delaysMs.length / 2)] ?? 0),
    row('event to receiver, 99th percentile ms', ({ delaysMs }) => delaysMs[Math.floor(delaysMs.length * 0.99)] ?? 0),
  ];
  return markdownTable(['', ...columns.keys()], rows);
}

async function prepare(url: string, receiver: string): Promise<string[]> {
  await migrate(url);
  await migrateQueue(url);
  const db = openDatabase({ url, poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 60_000 });
  const person = {
    name: 'Ada Admin',
    password: randomBytes(12).toString('hex'),
    position: 'Head',
    department: 'Board',
  };
  const settings = createWebhookSettings(readConfig(env));
  const ids: string[] = [];
  for (let n = 0; n < companiesCount; n++) {
    const { company } = await createCompany(db, `Company ${n}`, { ...person, email: `ada-${n}@example.com` });
    ids.push(company.id);
    const webhook = { url: receiver, events: ['*'], payload_format: 'envelope' as const, created_by: null };
    await db.tenant(company.id).transaction((tx) => addWebhook(tx, settings, webhook));
  }
  await db.close();
  return ids;
}

const database = await startBenchDatabase({
  shared_preload_libraries: 'pg_stat_statements',
  max_connections: '2000',
  shared_buffers: '512MB',
  synchronous_commit: 'off', // disk speed is not the subject
});
try {
  const receiver = await startServer(['scripts/bench/peers/receiver.ts'], {});
  const companies = await prepare(database.url, receiver);
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query('create extension pg_stat_statements');
  for (const [api, worker] of fleets) {
    // Clear what the previous fleet left behind.
    await client.query('truncate deliveries, attempts, events');
    await client.query('delete from graphile_worker._private_jobs');
    const fleet = await startFleet({ api: api!, worker: worker! }, database.url, env);
    try {
      const columns = new Map<string, Measurement>();
      for (const [name, { users, ...all }] of Object.entries(phases)) {
        const each = Object.fromEntries(Object.entries(all).map(([key, rate]) => [key, rate / api!]));
        fleet.setLoad({ ...(each as Omit<Load, 'users' | 'companies'>), users, companies });
        columns.set(name, await measure(client, fleet, receiver));
      }
      const { memory_mb: memoryMb } = await fleet.figures();
      console.log(
        `\n${api} API processes and ${worker} workers (${Math.round(memoryMb)} MB here)\n\n${table(columns)}`,
      );
    } finally {
      await fleet.end();
    }
  }
  await client.end();
} finally {
  await database.end();
}
