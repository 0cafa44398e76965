/** Creates a database that spans all nodes of a cluster, as docs/operations/citus.md describes for operators. */
import pg from 'pg';
import { databaseUrl, type Nodes, statements } from './nodes.ts';

interface Login {
  name: string;
  password: string;
}

/**
 * Creates a database on every node, owned by a non-superuser role, and registers the nodes with each other. Keeps whatever
 * exists; distributes nothing yet.
 * @param owner its role; created if missing
 * @returns the URL at the coordinator, for the owner
 */
export async function makeClusterDatabase({ urls }: Nodes, database: string, owner: Login): Promise<string> {
  for (const url of urls) await makeRole(url, owner);
  for (const url of urls) {
    if (!(await databaseExists(url, database))) await statements(url, `create database ${database}`);
    await statements(url, `alter database ${database} owner to ${owner.name}`);
    await statements(databaseUrl(url, database), 'create extension if not exists citus');
  }
  await registerNodes(urls, database);
  return databaseUrl(urls[0]!, database, owner);
}

/** On a single node: before the database has a cluster, nothing propagates roles. */
export async function makeRole(url: string, { name, password }: Login): Promise<void> {
  await statements(
    url,
    `do $$ begin
      if not exists (select from pg_roles where rolname = '${name}') then create role ${name}; end if;
      alter role ${name} login password '${password}';
    end $$`,
  );
}

async function databaseExists(url: string, database: string): Promise<boolean> {
  const rows = await queryRows(url, `select from pg_database where datname = '${database}'`);
  return rows.length > 0;
}

/** Registers the coordinator and its workers; without workers, the coordinator stores the rows itself. */
async function registerNodes([coordinator, ...workers]: string[], database: string): Promise<void> {
  const url = databaseUrl(coordinator!, database);
  const hostAndPort = (at: string) => `'127.0.0.1', ${new URL(at).port}`;
  await statements(url, `select citus_set_coordinator_host(${hostAndPort(coordinator!)})`);
  const known = await queryRows<{ nodeid: number }>(
    url,
    'select nodeid from pg_dist_node where groupid <> 0 order by nodeid',
  );
  for (const [index, at] of workers.entries()) {
    const nodeid = known[index]?.nodeid;
    // Its port may have changed.
    const nodeCall =
      nodeid === undefined ? `citus_add_node(${hostAndPort(at)})` : `citus_update_node(${nodeid}, ${hostAndPort(at)})`;
    await statements(url, `select ${nodeCall}`);
  }
  if (workers.length > 0) return;
  await statements(url, `select citus_set_node_property(${hostAndPort(coordinator!)}, 'shouldhaveshards', true)`);
}

async function queryRows<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client(url);
  client.on('error', () => {}); // a lost connection also rejects the running query, which is where it is reported
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}
