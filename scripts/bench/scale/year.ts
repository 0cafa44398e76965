// Simulates a year of events in steps: each writes part of the year, then runs the service's retention for events older than 30
// days. Timestamps are shifted instead of the clock: for a step a year back, the retention period is a year longer.
import pg from 'pg';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { removeOldEventsOf } from '../../../src/worker/tasks/cleanup/removeOldEvents.ts';
import { markdownTable } from '../harness/figures.ts';
import { mb, whole } from './disk.ts';
import { watchLocks } from './locks.ts';
import { writeLog } from './log-rows.ts';

const retentionDays = 30;
const logged = ['events', 'deliveries', 'attempts'];

interface Year {
  url: string;
  people: number;
  /** Total. */
  events: number;
  steps: number;
  log(text: string): void;
}

export async function yearReport({ url, people, events, steps, log }: Year): Promise<string> {
  const clients = await Promise.all([open(url), open(url)]);
  const client = clients[0]!;
  const db = openDatabase({ url, poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 600_000 });
  const { rows: companies } = await client.query<{ id: string }>('select id from companies');
  // The existing events are newer than all of these.
  await client.query(`truncate events, deliveries, attempts`);
  const lines: string[][] = [];
  for (let step = 0; step < steps; step++) {
    const day = (n: number) => 365 * (1 - n / steps);
    const written = performance.now();
    await writeLog(clients, Math.round(events / steps), people, { from: day(step), to: day(step + 1) });
    const writeS = (performance.now() - written) / 1000;
    const locks = await watchLocks(url);
    const started = performance.now();
    const removed = { events: 0, deliveries: 0, slowestMs: 0 };
    for (const { id } of companies) {
      const startedMs = performance.now();
      const result = await removeOldEventsOf(db.tenant(id), undefined, Math.round(retentionDays + day(step + 1)));
      removed.events += result.events;
      removed.deliveries += result.deliveries;
      removed.slowestMs = Math.max(removed.slowestMs, performance.now() - startedMs);
    }
    const seconds = (performance.now() - started) / 1000;
    const { waiting, longest_ms: maxMs } = await locks.stop();
    const vacuumS = await vacuumed(client);
    const { dead, sizes } = await state(client);
    const bytes = logged.map((name) => mb(sizes.get(name)!));
    const counts = [removed.events, removed.deliveries, dead].map(whole);
    const times = [writeS.toFixed(0), seconds.toFixed(1), (removed.slowestMs / 1000).toFixed(1), maxMs.toFixed(0)];
    lines.push([String(step + 1), ...times, String(waiting), ...counts, vacuumS.toFixed(0), ...bytes]);
    log(`step ${step + 1} of ${steps}: ${lines.at(-1)!.join(' | ')}`);
  }
  const bloat = await bloatReport(client);
  await db.close();
  await Promise.all(clients.map((each) => each.end()));
  const head = [
    'step',
    'written in, s',
    'retention, s',
    'slowest company, s',
    'longest statement, ms',
    'waited for locks',
  ];
  head.push(
    'events removed',
    'deliveries removed',
    'dead rows after',
    'vacuum caught up after, s',
    ...logged.map((name) => `${name}, MB`),
  );
  return `${markdownTable(head, lines)}\n\n${bloat}`;
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`set synchronous_commit = off; set work_mem = '64MB'`);
  return client;
}

/** Waits until autovacuum is idle. @returns seconds waited */
async function vacuumed(client: pg.Client): Promise<number> {
  const started = performance.now();
  for (let idle = 0; idle < 7 && performance.now() - started < 300_000; ) {
    await new Promise((done) => setTimeout(done, 1_000));
    const { rows } = await client.query(`select from pg_stat_activity where backend_type = 'autovacuum worker'`);
    idle = rows.length === 0 ? idle + 1 : 0;
  }
  return (performance.now() - started) / 1000 - 7;
}

async function state(client: pg.Client): Promise<{ dead: number; sizes: Map<string, number> }> {
  const { rows } = await client.query<{ name: string; dead: number; bytes: number }>(
    `select relname as name, n_dead_tup::float8 as dead, pg_total_relation_size(relid)::float8 as bytes
     from pg_stat_user_tables where relname = any($1)`,
    [logged],
  );
  const dead = rows.reduce((all, row) => all + row.dead, 0);
  return { dead, sizes: new Map(rows.map(({ name, bytes }) => [name, bytes])) };
}

/** Share of free space in each table and index. */
async function bloatReport(client: pg.Client): Promise<string> {
  await client.query('create extension if not exists pgstattuple');
  const { rows } = await client.query<{ name: string; bytes: number; live: number; empty: number }>(
    `select relname as name, table_len::float8 as bytes, approx_tuple_count::float8 as live,
       approx_free_percent + dead_tuple_percent as empty
     from pg_class, pgstattuple_approx(oid) where relname = any($1) and relkind = 'r'`,
    [logged],
  );
  const { rows: indexes } = await client.query<{ name: string; bytes: number; live: number; density: number }>(
    `select c.relname as name, index_size::float8 as bytes, t.n_live_tup::float8 as live, avg_leaf_density as density
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_stat_user_tables t on t.relid = i.indrelid,
       pgstatindex(c.oid) where t.relname = any($1) and index_size > 1e6 order by index_size desc`,
    [logged],
  );
  const lines = rows.map(({ name, bytes, live, empty }) => [
    name,
    mb(bytes),
    whole(live),
    `${empty.toFixed(0)} % empty`,
  ]);
  for (const { name, bytes, live, density } of indexes)
    lines.push([name, mb(bytes), whole(live), `${density.toFixed(0)} % of the leaves used`]);
  return markdownTable(['after the year', 'MB', 'rows', 'bloat'], lines);
}
