/** A cluster with the service's tables, distributed: for `make cluster`, and for tests and benchmarks on a cluster. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { makeFolder } from '../../src/platform/files/store/make-folder.ts';
import { isDistributed } from '../../src/platform/schema/citus.ts';
import { distribute } from '../../src/platform/schema/distribute.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../src/platform/schema/migrate-queue.ts';
import type { Progress } from '../run/progress.ts';
import { makeClusterDatabase } from './cluster-database.ts';
import { findCitus } from './find-citus.ts';
import { type Nodes, startNodes } from './nodes.ts';

/** Owns the tables; the service connects with it. Not a superuser. */
const owner = 'collaborators';

interface Cluster extends Nodes {
  /** Coordinator URL for the owner of the tables. */
  url: string;
}

interface ClusterOptions {
  /** Data of all nodes; reused by the next start. */
  folder: string;
  workers: number;
  built: string;
  settings?: Record<string, string>;
  progress: Progress;
}

/** @throws NoCitus, or the error that prevents the start */
export async function startCluster({ folder, built, progress, ...options }: ClusterOptions): Promise<Cluster> {
  let nodes: Nodes | undefined;
  let url = '';
  try {
    await progress('Citus', async () => {
      const { postgres, citus } = await findCitus(process.env, built);
      const password = await storedPassword(folder);
      nodes = await startNodes({ postgres, folder, password, ...options });
      return `${citus} in Postgres ${postgres.version}, on ${describeMachines(options.workers)}`;
    });
    const { password } = nodes!;
    await progress('tables', async () => {
      url = await makeClusterDatabase(nodes!, owner, { name: owner, password });
      return distributeOnce(url);
    });
    return Object.assign(nodes!, { url });
  } catch (error) {
    await nodes?.stop();
    throw error;
  }
}

async function distributeOnce(url: string): Promise<string> {
  await migrate(url);
  await migrateQueue(url);
  const client = new pg.Client(url);
  client.on('error', () => {}); // a lost connection also rejects the running query, which is where it is reported
  await client.connect();
  const distributed = await isDistributed(client).finally(() => client.end());
  if (distributed) return 'distributed already';
  await distribute(url);
  return 'distributed by company';
}

function describeMachines(workers: number): string {
  if (workers === 0) return 'one machine, which keeps the rows itself';
  return `a coordinator and ${workers} worker${workers === 1 ? '' : 's'}`;
}

async function storedPassword(folder: string): Promise<string> {
  await makeFolder(folder, 0o755);
  const file = join(folder, 'password');
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known) return known;
  const newPassword = randomBytes(18).toString('base64url');
  await writeFile(file, newPassword, { mode: 0o600 });
  return newPassword;
}
