// Compares the service as it is deployed with peers that do the same work on the same database, turn by turn: node:http
// and pg, fastify, express-openapi-validator, and pgbench as the limit of the database. Writes docs/benchmarks/http.md;
// for a company of another size than 10,000, in a database of five times as many people, http-SIZE.md.
// [REPETITIONS=6] [SECONDS=5] [WARM_UP_SECONDS=5] [PEOPLE=10000]
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { signIn } from '../run/sign-in.ts';
import { type Bar, barChart } from './chart.ts';
import { markdownTable, rangeOf, shownRange } from './figures.ts';
import { fill } from './fill.ts';
import { startGround } from './ground.ts';
import { type Answered, load } from './load.ts';
import { orderOf } from './order.ts';
import { findPgbench } from './pgbench.ts';
import { requestsOf } from './requests.ts';
import { peakMemory, startServer } from './servers.ts';

const [repetitions = 6, seconds = 5, warm_up_s = 5, people = 10_000] = process.argv.slice(2).map(Number);
const connections = 32;
const operations = ['getCollaborator', 'listCollaborators', 'createCollaborator'];
const ours = 'this service';
/** It writes what a creation of the service writes; the other peers leave out the counts, the outbox and the audit log. */
const thorough = 'node:http + pg, all writes';
const peers = {
  'node:http + pg': 'bare',
  [thorough]: 'bare',
  'fastify + pg': 'fastify',
  'express-openapi-validator': 'express-validator',
};
const database = 'pgbench';
const target = new URL('../../docs/benchmarks/', import.meta.url);
const name = people === 10_000 ? 'http' : `http-${people}`;

const ground = await startGround();
try {
  await main(ground.url);
} finally {
  await ground.end();
}

async function main(url: string): Promise<void> {
  // The largest company has a fifth. Nobody has a salary: the peers keep no record of who reads one.
  const data = await fill(url, people * 5, 6, { salaries: false });
  const limits = { RATE_LIMIT_REQUESTS_PER_MIN: '100000000', RATE_LIMIT_WRITES_PER_MIN: '100000000' };
  const settings = { DATABASE_URL: url, ENCRYPTION_KEY: randomBytes(32).toString('base64'), ...limits };
  const all = new Map([[ours, await startServer(['src/main.ts', 'api'], settings)]]);
  for (const [name, file] of Object.entries(peers)) {
    const env = { DATABASE_URL: url, ISSUER: all.get(ours)!, ...(name === thorough && { WRITES: 'all' }) };
    all.set(name, await startServer([`scripts/bench/peers/${file}.ts`], env));
  }
  const { access_token } = await signIn({ base_url: all.get(ours)!, ...data });
  const headers = { authorization: `Bearer ${access_token}`, 'x-company-id': data.company_id }; // the peers take these too
  const pgbench = await findPgbench(url, ground.folder, data, connections);
  if (!pgbench) console.log('pgbench is not on this machine: the limit of the database is not measured.\n');

  const parts: string[] = [];
  const bars: Bar[] = [];
  for (const operationId of operations) {
    const servers = new Map(all);
    if (operationId !== 'createCollaborator') servers.delete(thorough);
    const request = requestsOf(operationId, data);
    const shoot = (base_url: string, seconds: number, rate?: number) =>
      load({ base_url, headers, request, connections, seconds, ...(rate && { rate }) });
    for (const base_url of servers.values()) await shoot(base_url, warm_up_s);

    const runs = new Map([...servers.keys()].map((name) => [name, [] as Answered[]]));
    const limit: number[] = [];
    const measures = [...servers].map(([name, base_url]) => async () => {
      runs.get(name)!.push(await shoot(base_url, seconds));
    });
    if (pgbench) {
      measures.push(async () => {
        limit.push(await pgbench(operationId, seconds));
      });
    }
    for (let i = 0; i < repetitions; i++) {
      for (const measure of orderOf(measures, i)) await measure();
    }
    const own = runs.get(ours)!;
    const ratios = (values: number[]) => rangeOf(values.map((value, i) => own[i]!.per_s / value));
    const rows = [...runs].map(([name, answered]) => {
      const rates = answered.map(({ per_s }) => per_s);
      bars.push({ group: operationId, name, role: name in peers ? 'peer' : 'service', range: rangeOf(rates) });
      const cpu = answered.flatMap(({ cpu_us }) => cpu_us ?? []);
      return [
        name,
        shownRange(rangeOf(rates)),
        name === ours ? '' : shownRange(ratios(rates), 2),
        cpu.length > 0 ? shownRange(rangeOf(cpu)) : '',
        shownRange(rangeOf(answered.map(({ p99_ms }) => p99_ms))),
      ];
    });
    if (limit.length > 0) {
      bars.push({ group: operationId, name: database, role: 'database', range: rangeOf(limit) });
      rows.push([database, shownRange(rangeOf(limit)), shownRange(ratios(limit), 2), '', '']);
    }
    const head = ['', 'requests/s', 'this service against it', 'CPU µs a request', 'p99, ms'];
    parts.push(`## ${operationId}\n\n${markdownTable(head, rows)}`);
    console.log(`${parts.at(-1)}\n`);

    const calm: string[][] = [];
    for (const name of [ours, 'fastify + pg']) {
      const half = rangeOf(runs.get(name)!.map(({ per_s }) => per_s)).median / 2;
      const waits: number[] = [];
      for (let i = 0; i < repetitions; i++)
        waits.push((await shoot(servers.get(name)!, seconds, Math.round(half))).p99_ms);
      calm.push([name, half.toFixed(0), shownRange(rangeOf(waits))]);
    }
    parts.push(`At half of the highest rate:\n\n${markdownTable(['', 'requests/s', 'p99, ms'], calm)}`);
    console.log(`${parts.at(-1)}\n`);
  }
  const memory = [...all].map(([name, base_url]) => [name, `${peakMemory(base_url) ?? '?'} MB`]);
  parts.push(`## Peak memory\n\n${markdownTable(['', 'resident'], memory)}`);
  console.log(parts.at(-1));
  await writePage(parts, bars);
}

async function writePage(parts: string[], bars: Bar[]): Promise<void> {
  const machine = `${cpus().length} × ${cpus()[0]!.model}, ${Math.round(totalmem() / 2 ** 30)} GiB; Node ${process.version}`;
  const method = `${machine}. Load generator, servers and Postgres share the machine, so only ratios count. ${connections}
connections, a company of ${people} people among ${people * 5}, ${repetitions} runs of ${seconds} s in changing order after ${warm_up_s} s of warm-up;
medians, with the least and the most. Nobody has a salary, because the peers keep no record of who reads one. Made by
\`make bench${people === 10_000 ? '' : ` PEOPLE=${people}`}\`.`;
  await mkdir(target, { recursive: true });
  const picture = `![requests a second](${name}.svg)`;
  await writeFile(new URL(`${name}.md`, target), `# Requests\n\n${method}\n\n${picture}\n\n${parts.join('\n\n')}\n`);
  await writeFile(new URL(`${name}.svg`, target), barChart('Requests a second (more is better)', bars));
}
