/** Detects Citus clusters, and adapts schema changes to them. */
import type pg from 'pg';

type Queryable = Pick<pg.ClientBase, 'query'>;

/** Whether the extension is installed, with or without distributed tables. */
export async function hasCitus(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}

/** Whether `database distribute` has run. */
export async function isDistributed(client: Queryable): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const { rows } = await client.query(`select from pg_dist_partition where partmethod = 'h' limit 1`);
  return rows.length > 0;
}

/**
 * Until tables are distributed, schema changes run on this machine only: Citus would propagate `create extension if not exists`
 * even when it has nothing to do, and refuse it to a login that doesn't own the extension.
 */
export async function changeTablesHere(client: Queryable): Promise<void> {
  if (!(await hasCitus(client))) return;
  const to = (await isDistributed(client)) ? 'on' : 'off';
  await client.query(`set citus.enable_ddl_propagation to ${to}`);
}

/** Undoes `changeTablesHere`. */
export async function changeTablesAnywhere(client: Queryable): Promise<void> {
  if (await hasCitus(client)) await client.query('reset citus.enable_ddl_propagation');
}
