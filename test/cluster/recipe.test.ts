/** Distributing a database over a cluster, with the logins that operators have. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { makeClusterDatabase, makeRole } from '../../scripts/cluster/cluster-database.ts';
import { findCitus } from '../../scripts/cluster/find-citus.ts';
import { databaseUrl, type Nodes, startNodes, statements } from '../../scripts/cluster/nodes.ts';
import { distributeDatabase } from '../../src/api/cli/distribute.ts';
import { distribute, distributedTableNames } from '../../src/platform/schema/distribute.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { prepareDatabase } from '../../src/platform/schema/prepare.ts';
import { applicationRole } from '../../src/platform/schema/privileges.ts';
import { testSettings } from '../helpers/settings.ts';

let folder: string;
let nodes: Nodes;
let database: string;
let databases = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  const { postgres } = await findCitus(process.env, process.env.CITUS_BUILT ?? folder);
  const settings = { fsync: 'off', 'citus.shard_count': '4' };
  nodes = await startNodes({ postgres, folder, workers: 2, password: 'secret', settings });
});
beforeEach(() => {
  database = `recipe_${++databases}`;
});
afterAll(async () => {
  await nodes?.stop();
  await rm(folder, { recursive: true, force: true });
});

const owner = { name: 'people_owner', password: 'secret' };
const limits = { pooled: false, statementTimeoutMs: 15_000 };

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const distributedTables = (url: string) =>
  rows(url, `select count(*)::int as tables from pg_dist_partition where partmethod = 'h'`);

test('an owner without superuser rights can distribute, with extensions owned by someone else', async () => {
  const url = await makeClusterDatabase(nodes, database, owner);
  await statements(databaseUrl(nodes.urls[0]!, database), 'create extension pg_trgm', 'create extension unaccent');
  await migrate(url);
  await distribute(url);
  expect(await distributedTables(url)).toEqual([{ tables: distributedTableNames.length }]);
  await prepareDatabase({ url, ...limits }); // the service starts
});

test('the command distributes as the owner of the tables, and the service uses an unprivileged login', async () => {
  const ownerUrl = await makeClusterDatabase(nodes, database, owner);
  const login = { name: 'people_app', password: 'secret' };
  for (const url of nodes.urls) await makeRole(url, login);
  const url = databaseUrl(ownerUrl, database, login);
  await distributeDatabase({ ...testSettings, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl }, {});
  expect(await distributedTables(ownerUrl)).toEqual([{ tables: distributedTableNames.length }]);
  const acting = await prepareDatabase({ url, ownerUrl, ...limits });
  expect(await rows(acting.url, 'select from collaborators')).toEqual([]);
  await expect(rows(acting.url, 'delete from audit_log')).rejects.toThrow('permission denied');
});

test('startup reports to a superuser that the nodes reject its role, and succeeds once they accept it', async () => {
  const superuser = { name: 'postgres', password: 'secret' };
  const url = await makeClusterDatabase(nodes, database, superuser);
  await migrate(url);
  await distribute(url);
  await expect(prepareDatabase({ url, ...limits })).rejects.toThrow(
    `the machines of the Citus cluster do not let the role ${applicationRole} in`,
  );
  for (const node of nodes.urls) await makeRole(node, { name: applicationRole, password: 'secret' });
  const acting = await prepareDatabase({ url, ...limits });
  expect(
    await rows(acting.url, 'select current_user::text as role from events right join (select 1) one on true'),
  ).toEqual([{ role: applicationRole }]);
});

test('transaction settings apply on the node that does the work', async () => {
  const url = await makeClusterDatabase(nodes, database, owner);
  await migrate(url);
  await distribute(url);
  const client = new pg.Client(url);
  await client.connect();
  const there = async () => {
    const { rows } = await client.query(
      `select current_setting('enable_nestloop') as hint, count(*)::int as people from collaborators
       where company_id = '0198f7e0-0b2c-7a65-9e18-c4d7205b8f13'`,
    );
    return rows;
  };
  await client.query('begin');
  await client.query('set local enable_nestloop = off');
  expect(await there()).toEqual([{ hint: 'off', people: 0 }]);
  await client.query('commit');
  expect(await there()).toEqual([{ hint: 'on', people: 0 }]);
  await client.end();
});
