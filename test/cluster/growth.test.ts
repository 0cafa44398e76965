/** A cluster that grows under load: a new node with its share of companies, and new tables of a new version. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { makeClusterDatabase } from '../../scripts/cluster/cluster-database.ts';
import type { Nodes } from '../../scripts/cluster/nodes.ts';
import { distributedTableNames, placeNewTables } from '../../src/platform/schema/distribute.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { dedicatedCluster, distributedDatabase } from '../helpers/database/own-cluster.ts';
import { eventually } from '../helpers/eventually.ts';

const database = 'growing';

let folder: string;
let nodes: Nodes;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  nodes = await dedicatedCluster(folder, 1);
  app = await testApp({}, await distributedDatabase(nodes, database));
});
afterAll(async () => {
  await app?.close();
  await nodes?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Reads and writes of both companies in sequence until stopped. */
function load() {
  let stopped = false;
  const stats = { requests: 0, failed: [] as string[], slowestMs: 0 };
  const running = (async () => {
    for (let n = 0; !stopped; n++) {
      for (const client of [app.admin, app.outsider]) {
        const person = { name: 'New', email: `new${n}@example.com`, position: 'Clerk', department: 'Office' };
        for (const request of [client.get('/v1/collaborators?per_page=5'), client.post('/v1/collaborators', person)]) {
          const startedMs = performance.now();
          const { status, body } = await request;
          stats.slowestMs = Math.max(stats.slowestMs, performance.now() - startedMs);
          stats.requests++;
          if (status >= 300) stats.failed.push(`${status} ${JSON.stringify(body)}`);
        }
      }
    }
  })();
  return {
    stats,
    async stop() {
      stopped = true;
      await running;
      return stats;
    },
  };
}

const shards = () =>
  app.database.query<{ nodeport: number; shards: number }>(
    `select nodeport, count(*)::int as shards from pg_dist_placement join pg_dist_shard using (shardid)
     join pg_dist_node using (groupid) where logicalrelid = 'collaborators'::regclass group by 1 order by 1`,
  );

test('adds a node that gets its share under load, without a failed request', async () => {
  expect((await shards()).map((row) => row.shards)).toEqual([4]);
  const under = load();
  await eventually(() => expect(under.stats.requests).toBeGreaterThan(20));
  const beforeMs = under.stats.slowestMs;

  const grown = await dedicatedCluster(folder, 2);
  await makeClusterDatabase(grown, database, { name: 'postgres', password: 'secret' });
  const startedMs = performance.now();
  await app.database.query(`select citus_rebalance_start(shard_transfer_mode => 'force_logical')`);
  await app.database.query('select citus_rebalance_wait()');
  const movedMs = performance.now() - startedMs;

  const stats = await under.stop();
  expect((await shards()).map((row) => row.shards)).toEqual([2, 2]);
  expect(stats.failed).toEqual([]);
  expect(stats.slowestMs).toBeLessThan(movedMs);
  console.log(
    `${stats.requests} requests; slowest before ${beforeMs.toFixed(0)} ms, while two groups of shards moved in ` +
      `${movedMs.toFixed(0)} ms: ${stats.slowestMs.toFixed(0)} ms`,
  );
});

test('distributes a new version’s tables with the others, and makes them available to the service', async () => {
  const client = new pg.Client(app.database.url);
  await client.connect();
  try {
    await client.query('begin');
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'");
    for (const statement of [
      'alter table collaborators add column nickname text',
      'create index collaborators_nickname on collaborators (company_id, nickname)',
      `create table notes (company_id uuid not null references companies (id), id uuid not null, text text not null,
        collaborator_id uuid not null, primary key (company_id, id))`,
      'create index notes_newest on notes (company_id, collaborator_id, id desc)',
    ]) {
      await client.query(statement);
    }
    expect(await placeNewTables(client, [...distributedTableNames, 'notes'])).toEqual(['notes']);
    await client.query('commit');
    await client.query(`
      alter table notes add constraint notes_collaborator_fkey
        foreign key (company_id, collaborator_id) references collaborators (company_id, id)`);
    const values = [app.company_id, app.employee.collaborator_id];
    await client.query(
      `insert into notes select company_id, gen_random_uuid(), 'hello', id from collaborators where company_id = $1 and id = $2`,
      values,
    );
    const { rows } = await client.query(
      'select text from notes join collaborators c using (company_id) where company_id = $1 and c.id = $2 and collaborator_id = c.id',
      values,
    );
    expect(rows).toEqual([{ text: 'hello' }]);
  } finally {
    await client.end();
  }
  await app.admin.get(`/v1/collaborators/${app.employee.collaborator_id}`).expect(200);
});
