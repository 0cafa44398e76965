// Benchmarks a database of millions of people on one machine: sizes, growth, slow statements, a year of events.
// PEOPLE=1000000 COMPANIES=1000 LARGEST=50000 PARTS=disk,growth,statements,all,year FOLDER=/path/to/keep/data STEPS=12 EVENTS=…
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ownPostgres } from '../../run/own-postgres.ts';
import { closeConnections, sendRequest } from '../harness/send-request.ts';
import { stopServers } from '../harness/servers.ts';
import { allCompaniesReport } from './all-companies.ts';
import { cases } from './cases.ts';
import { diskReport, indexReport } from './disk.ts';
import { type FilledScale, fillScale, type Size } from './fill-people.ts';
import { growthReport } from './growth.ts';
import { resetStatements, slowReport } from './slow-statements.ts';
import { type Subject, startService, subjectOf } from './subjects.ts';
import { yearReport } from './year.ts';

const { env } = process;
const people = Number(env.PEOPLE || 100_000);
const size: Size = {
  people,
  companies: Number(env.COMPANIES || Math.max(20, Math.round(people / 1_000))),
  largest: Number(env.LARGEST || people / 20),
};
const comparisonSize: Size = { people: 10_000, companies: 20, largest: 2_000 };
const parts = new Set((env.PARTS || 'disk,growth,statements,all,year').split(','));
const folder = env.FOLDER || join(tmpdir(), `collaborator-api-scale-${process.pid}`);

/** Generated data need not survive a crash. */
const filling = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
};
const running = {
  max_wal_size: '4GB',
  shared_preload_libraries: 'pg_stat_statements,auto_explain',
  'pg_stat_statements.track': 'top',
  autovacuum_naptime: '5s',
};
const sharedBuffers = env.SHARED_BUFFERS || '4GB';

const log = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
const title = (text: string) => console.log(`\n## ${text}\n`);

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const filled = join(folder, 'filled.json');
  if (!existsSync(filled)) {
    const server = await ownPostgres(join(folder, 'postgres'), { shared_buffers: sharedBuffers, ...filling });
    try {
      const data = [await fillScale(await database(server.url, 'beside'), comparisonSize, () => {})];
      data.push(await fillScale(await database(server.url, 'scale'), size, log));
      await writeFile(filled, JSON.stringify(data), { mode: 0o600 });
    } finally {
      await server.stop();
    }
  }
  const [small, large] = JSON.parse(await readFile(filled, 'utf8')) as [FilledScale, FilledScale];
  const server = await ownPostgres(join(folder, 'postgres'), { shared_buffers: sharedBuffers, ...running });
  try {
    await measure(server.url, small, large);
  } finally {
    closeConnections();
    stopServers();
    await server.stop();
  }
}

async function measure(postgresUrl: string, small: FilledScale, large: FilledScale): Promise<void> {
  const url = named(postgresUrl, 'scale');
  const client = new pg.Client(url);
  await client.connect();
  if (parts.has('disk')) {
    title('Size on disk');
    console.log(await diskReport(client, people));
  }
  if (parts.has('growth') || parts.has('statements')) {
    await resetStatements(client);
    const service = await startService(url, large);
    const big = [
      await subjectOf(`${large.largest.people} of ${people}`, client, service, large, large.largest),
      await subjectOf(`${large.small.people} of ${people}`, client, service, large, large.small),
    ];
    if (parts.has('growth')) await growth(named(postgresUrl, 'beside'), small, big);
    await resetStatements(client);
    if (parts.has('statements')) await slow(client, big);
  }
  if (parts.has('disk')) {
    title('Indexes');
    console.log(await indexReport(client, people * 2));
  }
  stopServers();
  if (parts.has('all')) {
    title('Across all companies');
    console.log(await allCompaniesReport(url));
  }
  if (parts.has('year')) {
    title('A year of events');
    const steps = Number(env.STEPS || 12);
    const events = Number(env.EVENTS || people * 4);
    console.log(await yearReport({ url, people, events, steps, log }));
  }
  await client.end();
}

async function growth(url: string, small: FilledScale, [largest, other]: Subject[]): Promise<void> {
  title('Growth');
  const client = new pg.Client(url);
  await client.connect();
  await resetStatements(client);
  const service = await startService(url, small);
  const subjects = [
    largest!,
    await subjectOf(`${small.largest.people} of ${comparisonSize.people}`, client, service, small, small.largest),
    other!,
    await subjectOf(`${small.small.people} of ${comparisonSize.people}`, client, service, small, small.small),
  ];
  console.log(await growthReport(subjects, Number(env.ROUNDS || 3), Number(env.REQUESTS || 40)));
  await client.end();
}

/** Runs all cases again, with their plans in the server log. */
async function slow(client: pg.Client, subjects: readonly Subject[]): Promise<void> {
  title('The slowest statements');
  const set = async (name: string, value: string) => {
    await client.query(`alter system set auto_explain.${name} = '${value}'`);
    await client.query('select pg_reload_conf()');
  };
  for (const name of ['log_analyze', 'log_buffers']) await set(name, 'on');
  await set('log_timing', 'off');
  await set('log_min_duration', '0');
  for (const each of cases)
    for (let n = 0; n < 30; n++)
      for (const subject of subjects) await sendRequest(subject, each.send(subject, subject.requestCount++));
  await set('log_min_duration', '-1');
  console.log(await slowReport(client, join(folder, 'postgres')));
}

async function database(postgresUrl: string, name: string): Promise<string> {
  const client = new pg.Client(postgresUrl);
  await client.connect();
  await client.query(`drop database if exists ${name}`);
  await client.query(`create database ${name}`);
  await client.end();
  return named(postgresUrl, name);
}

function named(postgresUrl: string, name: string): string {
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

try {
  await main();
} finally {
  if (!env.FOLDER) await rm(folder, { recursive: true, force: true });
}
