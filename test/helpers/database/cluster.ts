/**
 * Runs the tests on a Citus cluster, for `make proof NAME=cluster`. TEST_CLUSTER is the number of worker nodes; 0 means
 * a coordinator that stores the rows itself.
 *
 * Each test file's database is cloned from a template on every node. The clone has the template's tables, shards, and
 * node list, and Citus looks for a database of the same name on the other nodes.
 */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { makeClusterDatabase, makeRole } from '../../../scripts/cluster/cluster-database.ts';
import { findCitus } from '../../../scripts/cluster/find-citus.ts';
import { type Nodes, startNodes, statements } from '../../../scripts/cluster/nodes.ts';
import { distribute } from '../../../src/platform/schema/distribute.ts';
import { applicationRole } from '../../../src/platform/schema/privileges.ts';

/** Trades durability for speed: test data needn't survive a crash. */
export const nonDurableSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  'citus.shard_count': '4',
};

/** @returns undefined if the tests run on a single Postgres */
export async function startTestCluster(folder: string): Promise<Nodes | undefined> {
  const { TEST_CLUSTER } = process.env;
  if (!TEST_CLUSTER) return undefined;
  const { postgres } = await findCitus(process.env, process.env.CITUS_BUILT ?? tmpdir());
  const password = randomBytes(12).toString('hex');
  const nodes = await startNodes({
    postgres,
    folder,
    workers: Number(TEST_CLUSTER),
    password,
    settings: nonDurableSettings,
  });
  for (const url of nodes.urls) await makeRole(url, { name: applicationRole, password });
  return nodes;
}

/** Creates the template. @param prepare creates its tables */
export async function makeTemplate(nodes: Nodes, name: string, prepare: (url: string) => Promise<void>): Promise<void> {
  const { username, password } = new URL(nodes.urls[0]!);
  const url = await makeClusterDatabase(nodes, name, { name: username, password });
  await prepare(url);
  await distribute(url);
  for (const node of nodes.urls) {
    // Citus keeps a process connected to each database, and Postgres can't clone a database that has connections.
    await statements(
      node,
      `alter database ${name} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
  }
}
