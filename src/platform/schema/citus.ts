/** Whether a database lies on the machines of a Citus cluster, and what follows for changing its tables. */
import type pg from 'pg';

type Queryable = Pick<pg.ClientBase, 'query'>;

/** Whether there is Citus in this database, with or without distributed tables. */
export async function hasCitus(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}

/** Whether `database distribute` has been carried out. */
export async function isDistributed(client: Queryable): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const { rows } = await client.query(`select from pg_dist_partition where partmethod = 'h' limit 1`);
  return rows.length > 0;
}

/**
 * Before tables are distributed, statements that change them concern this machine alone. Citus would carry `create extension
 * if not exists` to the others even where it has nothing to do, and refuse it to a login that does not own the extension.
 * What the others need of it they get when tables are distributed.
 */
export async function changeTablesHere(client: Queryable): Promise<void> {
  if (!(await hasCitus(client))) return;
  const to = (await isDistributed(client)) ? 'on' : 'off';
  await client.query(`set citus.enable_ddl_propagation to ${to}`);
}

/** Afterwards. */
export async function changeTablesAnywhere(client: Queryable): Promise<void> {
  if (await hasCitus(client)) await client.query('reset citus.enable_ddl_propagation');
}
