/** Cluster nodes on this machine: a Postgres with Citus each, on loopback, with its data in a folder. */
import { chown, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/embedded/embedded.ts';
import { postgresRunner } from '../../src/platform/embedded/embedded-runner.ts';
import { makeFolder } from '../../src/platform/files/store/make-folder.ts';
import type { Postgres } from './postgres.ts';

export interface Nodes {
  /** Superuser URLs, coordinator first; the database is `postgres`. */
  urls: string[];
  /** Process ids, in the same order. */
  pids: number[];
  /** Password of the superuser and every other role; nodes use it to connect to each other. */
  password: string;
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
}

interface NodesOptions {
  postgres: Postgres;
  /** Contains one folder per node. */
  folder: string;
  /** Workers besides the coordinator; with 0, the coordinator stores the rows. */
  workers: number;
  /** Password of all roles, including the superuser. They can't differ: Citus copies the coordinator's passwords to new nodes. */
  password: string;
  settings?: Record<string, string>;
}

/** Required settings of a node. */
const needed = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical', // logical replication moves shards
  listen_addresses: '127.0.0.1',
  // One per database, plus those that move shards.
  max_worker_processes: '64',
  max_locks_per_transaction: '512',
  'citus.local_hostname': '127.0.0.1',
  'citus.node_conninfo': 'sslmode=disable', // loopback only
  'citus.propagate_set_commands': 'local', // planner hints within a transaction
  'citus.shard_count': '8',
};

/** Starts the nodes, or connects to running ones. */
export async function startNodes({ postgres, folder, workers, password, settings }: NodesOptions): Promise<Nodes> {
  await makeFolder(resolve(folder), 0o755);
  const locale = postgres.version >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const initdb = [...locale, postgres.version >= 17 ? '--locale=C' : '--locale=C.UTF-8'];
  const passwords = resolve(folder, 'passwords');
  const programs = { bin: postgres.bin, initdb, env: { PGPASSFILE: passwords }, password };
  const names = ['coordinator', ...Array.from({ length: workers }, (_, index) => `worker-${index + 1}`)];
  const start = (name: string) => startEmbedded(join(folder, name), { ...needed, ...settings }, { other: programs });
  const { uid } = await postgresRunner(resolve(folder, 'data'), programs);
  await writePasswords(passwords, password, uid);
  const nodes: EmbeddedPostgres[] = [];
  const stop = async () => {
    for (const node of nodes.splice(0).reverse()) await node.stop();
  };
  try {
    for (const name of names) nodes.push(await start(name));
    const urls = nodes.map(({ url }) => databaseUrl(url, 'postgres'));
    return {
      urls,
      password,
      get pids() {
        return nodes.map(({ pid }) => pid);
      },
      async restart(index) {
        nodes[index] = await start(names[index]!);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The same URL for another database or role. */
export function databaseUrl(url: string, database: string, role?: { name: string; password: string }): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  if (role) [other.username, other.password] = [role.name, role.password];
  return other.href;
}

/** Runs statements in order, as the URL's role. */
export async function statements(url: string, ...all: string[]): Promise<void> {
  const client = new pg.Client(url);
  client.on('error', () => {}); // a lost connection also rejects the running query, which is where it is reported
  await client.connect();
  try {
    for (const sql of all) await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Credentials for connections between nodes: https://www.postgresql.org/docs/current/libpq-pgpass.html */
async function writePasswords(file: string, password: string, uid: number | undefined): Promise<void> {
  await writeFile(file, `127.0.0.1:*:*:*:${password}\n`, { mode: 0o600 });
  if (uid !== undefined) await chown(file, uid, uid);
}
