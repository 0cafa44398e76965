// Measures how the latency of each operation grows from 10,000 to 1,000,000 collaborators, alternating in one run.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { signIn } from '../run/sign-in.ts';
import { startBenchDatabase } from './harness/database.ts';
import { type BenchData, fill } from './harness/fill.ts';
import { type ApiRequest, closeConnections, sendRequest } from './harness/send-request.ts';
import { startServer } from './harness/servers.ts';

const [large = 1_000_000, rounds = 5, requests = 200] = process.argv.slice(2).map(Number);
const small = large / 100;
const companies = 100;

interface Subject {
  size: number;
  data: BenchData;
  base_url: string;
  headers: Record<string, string>;
  deepCursor: string;
}

/** Last word of the n-th person's name: see fill.ts. */
function rareName(n: number): string {
  const digest = createHash('md5').update(String(n)).digest('hex').slice(0, 10);
  return digest.replace(/[0-9]/g, (digit) => 'ghijklmnop'[Number(digit)]!);
}

interface Case {
  name: string;
  /** A request relative to /collaborators; `n` is its number. */
  send(subject: Subject, n: number): ApiRequest;
}

const cases: Case[] = [
  { name: 'get by id', send: ({ data }, n) => ({ path: `/${data.ids[n % data.ids.length]}` }) },
  { name: 'list, first page', send: () => ({ path: '' }) },
  { name: 'list by name, first page', send: () => ({ path: '?sort=name' }) },
  { name: 'list, deep cursor page', send: ({ deepCursor }) => ({ path: `?sort=name&cursor=${deepCursor}` }) },
  { name: 'list, filtered (cursor)', send: () => ({ path: '?department=fleet&limit=20' }) },
  { name: 'list, filtered (page)', send: () => ({ path: '?department=fleet' }) },
  { name: 'search, a rare name', send: ({ size }, n) => ({ path: `?search=${rareName((n % (size / 5)) + 1)}` }) },
  { name: 'search, a number', send: ({ size }, n) => ({ path: `?search=person${(n % (size / 5)) + 1}%40` }) },
  { name: 'search, three characters', send: (_, n) => ({ path: `?search=${(n % 200) + 100}&limit=20` }) },
  { name: 'search, common name', send: () => ({ path: '?search=oliveira&limit=20' }) },
  {
    name: 'update',
    send: ({ data }, n) => ({
      method: 'PATCH',
      path: `/${data.ids[n % data.ids.length]}`,
      body: { phone: `+351 ${Date.now() % 1e9}${n}` },
    }),
  },
];

async function main(url: string): Promise<void> {
  const subjects = [await prepare(url, small), await prepare(url, large)];
  console.log(
    `\n${rounds} rounds of ${requests} requests each, one at a time; p50 and p99 in ms, medians of the rounds\n`,
  );
  console.log(`| operation | p50 at ${small} | p50 at ${large} | ratio | p99 at ${small} | p99 at ${large} | ratio |`);
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const each of cases) {
    const figures = subjects.map(() => ({ p50: [] as number[], p99: [] as number[] }));
    for (const subject of subjects) await measure(subject, each, 60); // warm-up
    for (let round = 0; round < rounds; round++) {
      for (const [i, subject] of subjects.entries()) {
        const times = await measure(subject, each, requests);
        figures[i]!.p50.push(quantile(times, 0.5));
        figures[i]!.p99.push(quantile(times, 0.99));
      }
    }
    const [a, b] = figures.map(({ p50, p99 }) => ({ p50: quantile(p50, 0.5), p99: quantile(p99, 0.5) }));
    const row = [a!.p50.toFixed(2), b!.p50.toFixed(2), (b!.p50 / a!.p50).toFixed(2)];
    row.push(a!.p99.toFixed(2), b!.p99.toFixed(2), (b!.p99 / a!.p99).toFixed(2));
    console.log(`| ${each.name} | ${row.join(' | ')} |`);
  }
  await bounds(subjects[1]!);
}

async function prepare(postgresUrl: string, size: number): Promise<Subject> {
  const started = performance.now();
  const admin = new pg.Client(postgresUrl);
  await admin.connect();
  await admin.query(`create database growth_${size}`);
  await admin.end();
  const url = new URL(postgresUrl);
  url.pathname = `/growth_${size}`;
  const data = await fill(url.href, size, companies);
  const limits = { RATE_LIMIT_REQUESTS_PER_MIN: '100000000', RATE_LIMIT_WRITES_PER_MIN: '100000000' };
  const baseUrl = await startServer(['src/main.ts', 'api'], { DATABASE_URL: url.href, LOG_LEVEL: 'info', ...limits });
  const { access_token: accessToken } = await signIn({ base_url: baseUrl, ...data });
  const headers = { authorization: `Bearer ${accessToken}`, 'x-company-id': data.company_id };
  const subject = { size, data, base_url: baseUrl, headers, deepCursor: '' };
  subject.deepCursor = await walk(subject, Math.min(100, Math.floor(size / 5 / 100 / 2)));
  console.log(
    `${size} collaborators in ${companies} companies: ready in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  return subject;
}

/** @returns the cursor after this many pages of 100 */
async function walk(subject: Subject, pages: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < pages; page++) {
    const { body } = await send(subject, { path: `?sort=name&limit=100${cursor && `&cursor=${cursor}`}` });
    cursor = JSON.parse(body).pagination.nextCursor;
  }
  return cursor;
}

async function measure(subject: Subject, { send: make }: Case, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const started = performance.now();
    const { status, body } = await send(subject, make(subject, n));
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`${status}: ${body}`);
  }
  return times;
}

/** Operations that may grow, measured once each: the upper bounds. */
async function bounds(subject: Subject): Promise<void> {
  console.log(`\nBounds in a company of ${subject.size / 5}, ms: first, then again\n`);
  const paths = {
    'one letter, with its total': '?search=a',
    'common name, with its total': '?search=oliveira',
    'filter, with its total': '?department=fleet',
    'page 1,000': '?page=1000',
    [`page ${subject.size / 5 / 20}, the last`]: `?page=${subject.size / 5 / 20}`,
  };
  for (const [name, path] of Object.entries(paths)) {
    await send(subject, {
      method: 'PATCH',
      path: `/${subject.data.ids[0]}`,
      body: { phone: `+1 ${Date.now() % 1e9}` },
    });
    const times = [
      await measure(subject, { name, send: () => ({ path }) }, 1),
      await measure(subject, { name, send: () => ({ path }) }, 1),
    ];
    console.log(`| ${name} | ${times.map(([ms]) => ms!.toFixed(1)).join(' | ')} |`);
  }
}

function send(subject: Subject, { path, ...rest }: ApiRequest) {
  return sendRequest(subject, { ...rest, path: `/collaborators${path}` });
}

function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;
}

const database = await startBenchDatabase({ shared_buffers: '2GB', max_wal_size: '8GB' });
try {
  await main(database.url);
} finally {
  closeConnections();
  await database.end();
}
