// Compares getCollaborator of the whole service with the least that can be done on the same database, run by run.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';
import pg from 'pg';
import { createCompany } from '../../src/accounts/companies.ts';
import { openDatabase } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createClient } from '../../src/oauth/clients.ts';
import { signIn } from '../sign-in.ts';

const collaborators = 10_000;
const connections = 32;
const run_s = Number(process.argv[2] ?? 5);
const repetitions = Number(process.argv[3] ?? 5);
const children: ChildProcess[] = [];

const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-bench-'));
const postgres = await startEmbedded(folder);
try {
  await main(postgres.url);
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function main(database_url: string): Promise<void> {
  const { company_id, id, client_id, email, password } = await fill(database_url);
  const service = await start('src/main.ts', { DATABASE_URL: database_url, PORT: '0' });
  const bare = await start('scripts/bench/peers/bare.ts', { DATABASE_URL: database_url });
  const { access_token } = await signIn({ base_url: service, client_id, email, password });
  const headers = { authorization: `Bearer ${access_token}`, 'x-company-id': company_id };
  const urls = { bare: `${bare}/v1/collaborators/${id}`, service: `${service}/v1/collaborators/${id}` };

  for (const url of Object.values(urls)) await shoot(url, headers, 3);
  const ratios: number[] = [];
  console.log('| run | node:http + pg, requests/s | this service, requests/s | ratio |\n| --- | --- | --- | --- |');
  for (let i = 1; i <= repetitions; i++) {
    const first = await shoot(urls.bare, headers, run_s);
    const second = await shoot(urls.service, headers, run_s);
    ratios.push(second / first);
    console.log(`| ${i} | ${first.toFixed(0)} | ${second.toFixed(0)} | ${(second / first).toFixed(2)} |`);
  }
  ratios.sort((a, b) => a - b);
  const [least, middle, most] = [ratios[0]!, ratios[ratios.length >> 1]!, ratios.at(-1)!].map((ratio) =>
    ratio.toFixed(2),
  );
  console.log(
    `\nratio: median ${middle}, from ${least} to ${most}; Node ${process.version}, ${connections} connections`,
  );
}

/** @returns requests a second; every answer must be a 200 */
async function shoot(url: string, headers: Record<string, string>, duration: number): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

/** A company of 10,000, its admin, and a client. */
async function fill(url: string) {
  await migrate(url);
  const db = openDatabase({ url, pool_size: 2, connect_timeout_ms: 5_000, statement_timeout_ms: 60_000 });
  const [email, password] = ['admin@example.com', randomBytes(12).toString('hex')];
  const person = { name: 'Ada Admin', email, password, position: 'Head', department: 'Board' };
  const { company } = await createCompany(db, 'Bench', person);
  const client = await createClient(db, { name: 'Bench', redirect_uris: ['http://127.0.0.1/callback'], public: true });
  await db.close();
  const direct = new pg.Client(url);
  await direct.connect();
  await direct.query(
    `insert into collaborators (company_id, id, name, email, position, department, salary)
     select $1, gen_random_uuid(), 'Person ' || n, 'person' || n || '@example.com', 'Clerk', 'Office', 40000 + n
     from generate_series(1, $2::int) n`,
    [company.id, collaborators],
  );
  await direct.query('analyze collaborators');
  const { rows } = await direct.query("select id from collaborators where name = 'Person 4711'");
  await direct.end();
  return { company_id: company.id, id: rows[0].id as string, client_id: client.id, email, password };
}

/** Starts a server as it would be deployed. @returns its address, from the first line that names one */
async function start(file: string, env: Record<string, string>): Promise<string> {
  const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), REQUIRE_HTTPS: 'false', ...env };
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const base_url = /"base_url":"([^"]+)"/.exec(line)?.[1];
    if (!base_url) continue;
    child.stdout.resume(); // log lines are written and thrown away, as with any log collector
    return base_url;
  }
  throw new Error(`${file} did not start`);
}
