/** A Citus cluster for a single test, which can stop its nodes. */
import { chmod } from 'node:fs/promises';
import { makeClusterDatabase, makeRole } from '../../../scripts/cluster/cluster-database.ts';
import { findCitus } from '../../../scripts/cluster/find-citus.ts';
import { type Nodes, startNodes } from '../../../scripts/cluster/nodes.ts';
import { distribute } from '../../../src/platform/schema/distribute.ts';
import { migrate } from '../../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { applicationRole, grantPrivileges } from '../../../src/platform/schema/privileges.ts';
import { type TestApp, testApp } from '../app.ts';
import { nonDurableSettings } from './cluster.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';

/** Starts the nodes that aren't running. */
export async function dedicatedCluster(folder: string, workers: number): Promise<Nodes> {
  await chmod(folder, 0o755);
  const { postgres } = await findCitus(process.env, process.env.CITUS_BUILT ?? folder);
  const nodes = await startNodes({ postgres, folder, workers, password: 'secret', settings: nonDurableSettings });
  for (const url of nodes.urls) await makeRole(url, { name: applicationRole, password: 'secret' });
  return nodes;
}

/** Creates a database on all nodes, with the service's tables distributed. */
export async function distributedDatabase(nodes: Nodes, name: string): Promise<TestDatabase> {
  const url = await makeClusterDatabase(nodes, name, { name: 'postgres', password: nodes.password });
  await migrate(url);
  await migrateQueue(url);
  await grantPrivileges(url, url);
  await distribute(url);
  return openTestDatabase(url, 10, async () => {});
}

/** Starts the API on a cluster with its two companies in different shards, so that each can be on its own node. */
export async function appOnCluster(
  nodes: Nodes,
  name: string,
  settings: Record<string, string> = {},
): Promise<TestApp> {
  for (let tries = 1; ; tries++) {
    const app = await testApp(settings, await distributedDatabase(nodes, `${name}_${tries}`));
    const [row] = await app.database.query<{ are_apart: boolean }>(
      `select count(distinct get_shard_id_for_distribution_column('collaborators', id)) > 1 as are_apart from companies`,
    );
    if (row!.are_apart) return app;
    await app.close();
  }
}

/** The node that stores a company's rows, as an index into `nodes.urls`. */
async function machineOf(nodes: Nodes, database: TestDatabase, companyId: string): Promise<number> {
  const [row] = await database.query<{ port: number }>(
    `select nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
     where shardid = get_shard_id_for_distribution_column('collaborators', $1::uuid)`,
    [companyId],
  );
  return nodes.urls.findIndex((url) => Number(new URL(url).port) === row!.port);
}

export async function moveCompany(nodes: Nodes, database: TestDatabase, companyId: string, to: number): Promise<void> {
  const from = await machineOf(nodes, database, companyId);
  if (from === to) return;
  const port = (index: number) => Number(new URL(nodes.urls[index]!).port);
  await database.query(
    `select citus_move_shard_placement(get_shard_id_for_distribution_column('collaborators', $1::uuid),
       '127.0.0.1', $2::int, '127.0.0.1', $3::int, 'block_writes')`,
    [companyId, port(from), port(to)],
  );
}
