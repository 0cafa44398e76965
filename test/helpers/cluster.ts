/**
 * Lets the tests run on a Citus cluster, as `make proof NAME=cluster` does: TEST_CLUSTER is the number of its workers, which is 0
 * for a coordinator that keeps the rows itself.
 *
 * The database of each test file is a copy of a template here, too, and so on every machine: a copy has the template's
 * tables, shards and list of machines, and Citus looks for a database of the same name on the others.
 */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { makeClusterDatabase, makeRole } from '../../scripts/cluster/cluster-database.ts';
import { findCitus } from '../../scripts/cluster/find-citus.ts';
import { type Nodes, startNodes, statements } from '../../scripts/cluster/nodes.ts';
import { distribute } from '../../src/platform/schema/distribute.ts';
import { applicationRole } from '../../src/platform/schema/privileges.ts';

/** What a crash would lose does not matter here. */
export const hasty = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', 'citus.shard_count': '4' };

/** @returns undefined when the tests are to run on one Postgres */
export async function startTestCluster(folder: string): Promise<Nodes | undefined> {
  const { TEST_CLUSTER } = process.env;
  if (!TEST_CLUSTER) return undefined;
  const { postgres } = await findCitus(process.env, process.env.CITUS_BUILT ?? tmpdir());
  const password = randomBytes(12).toString('hex');
  const nodes = await startNodes({ postgres, folder, workers: Number(TEST_CLUSTER), password, settings: hasty });
  for (const url of nodes.urls) await makeRole(url, { name: applicationRole, password });
  return nodes;
}

/** Makes the template. @param prepare makes its tables */
export async function makeTemplate(nodes: Nodes, name: string, prepare: (url: string) => Promise<void>): Promise<void> {
  const { username, password } = new URL(nodes.urls[0]!);
  const url = await makeClusterDatabase(nodes, name, { name: username, password });
  await prepare(url);
  await distribute(url);
  for (const node of nodes.urls) {
    // Citus keeps a process in each database, and one that somebody is connected to can not be copied.
    await statements(
      node,
      `alter database ${name} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
  }
}
