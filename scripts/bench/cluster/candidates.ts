// The databases to compare: plain Postgres, the same through one more hop, and Citus clusters. All nodes run on this machine.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Database, openDatabase } from '../../../src/platform/db/client.ts';
import { migrate } from '../../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { findCitus } from '../../cluster/find-citus.ts';
import { databaseUrl, type Nodes, startNodes } from '../../cluster/nodes.ts';
import { startCluster } from '../../cluster/start-cluster.ts';
import { quiet } from '../../run/progress.ts';

const companiesCount = 24;
const hopProgram = fileURLToPath(new URL('hop/child.ts', import.meta.url));

export interface Candidate {
  name: string;
  db: Database;
  /** Each with one person in it. */
  companies: { id: string; person: string }[];
  /** Process ids of its servers: the queried node first, then the workers. */
  pids: number[];
  plan: string;
  close(): Promise<void>;
}

/** @param at_once number of connections */
interface Options {
  folder: string;
  /** Folder for Citus built from source. */
  built: string;
  at_once: number;
}

/** Plain Postgres, and the same behind a hop, like a worker behind the coordinator. */
export async function plainCandidates(options: Options): Promise<Candidate[]> {
  const { folder, built } = options;
  const { postgres } = await findCitus(process.env, built);
  const nodes = await startNodes({
    postgres,
    folder: join(folder, 'plain'),
    workers: 0,
    password: randomBytes(12).toString('hex'),
    settings: { shared_preload_libraries: '' },
  });
  const url = databaseUrl(nodes.urls[0]!, 'collaborators');
  await migrate(url);
  await migrateQueue(url);
  const hop = await hopTo(url);
  const direct = await openCandidate('one Postgres', url, nodes, options);
  const behind = await openCandidate('one Postgres behind a hop', hop.url, { ...nodes, stop: hop.close }, options);
  return [direct, behind];
}

export async function clusterCandidate(workers: number, { folder, ...options }: Options): Promise<Candidate> {
  const machines = join(folder, `of-${workers}`);
  const cluster = await startCluster({ folder: machines, workers, built: options.built, progress: quiet });
  const name = workers === 0 ? 'Citus on one machine' : `a coordinator and ${workers} worker${workers > 1 ? 's' : ''}`;
  return openCandidate(name, cluster.url, cluster, { folder, ...options });
}

/** Only the network hop between a coordinator and a worker. */
async function hopTo(url: string): Promise<{ url: string; close(): Promise<void> }> {
  const child = spawn(process.execPath, [hopProgram, new URL(url).port], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(createInterface({ input: child.stdout }), 'line');
  const hop = new URL(url);
  hop.port = String(port);
  const close = async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
  return { url: hop.href, close };
}

async function openCandidate(
  name: string,
  url: string,
  { pids, stop }: Pick<Nodes, 'pids' | 'stop'>,
  { at_once: concurrency }: Options,
): Promise<Candidate> {
  const db = openDatabase({ url, poolSize: concurrency, connectTimeoutMs: 5_000, statementTimeoutMs: 30_000 });
  const companies: Candidate['companies'] = [];
  for (let n = 0; n < companiesCount; n++) {
    const admin = { ...newPerson(), password: 'correct horse battery staple' };
    const { company, admin: added } = await createCompany(db, `Company ${n}`, admin);
    companies.push({ id: company.id, person: added.collaborator_id });
  }
  const close = async () => {
    await db.close();
    await stop();
  };
  return { name, db, companies, pids, plan: await planOf(url, companies[0]!), close };
}

export function newPerson() {
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  return { name: 'Ana Bench', email, position: 'Clerk', department: 'Office' };
}

async function planOf(url: string, { id, person }: { id: string; person: string }): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (costs off) select name from collaborators where company_id = '${id}' and id = '${person}'`,
  );
  await client.end();
  const lines = rows.map((row) => row['QUERY PLAN'].trim());
  return lines.filter((line) => /Task Count|Node:|Index Scan/.test(line)).join(', ');
}
