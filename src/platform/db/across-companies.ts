/**
 * Queries across all companies that tolerate lost machines of a Citus cluster.
 *
 * A statement over all companies needs every machine, and fails when one is lost. In that case each machine is queried
 * separately, and those that don't respond are skipped, so the other companies' events and jobs continue. While a machine is
 * known to be lost, this path is used right away, and queries that wait for that machine are cut off.
 */
import type pg from 'pg';
import { isUnavailable } from '../../contract/problem.ts';
import { cutOff } from '../connection/library-internals.ts';
import { SilentConnection } from '../connection/postgres-client.ts';
import { isDistributed } from '../schema/citus.ts';
import type { Machines } from '../schema/machines.ts';

export interface AllCompanies {
  /** Unguarded: for the worker only. */
  pool: pg.Pool;
  /** The health of the machines; without it, an unresponsive machine is waited for. */
  machines?: Machines | undefined;
}

/**
 * @param table the only distributed table that the statement reads
 * @param statementOf builds the statement, over the table or a shard of it; it has no parameters, and any grouping starts with
 * company_id
 * @returns the rows; while machines are lost, without their rows, unordered, and with the statement's limit applied to each shard
 * @throws the database error, if no machine responds
 */
export async function acrossCompanies<R extends pg.QueryResultRow>(
  all: AllCompanies,
  table: string,
  statementOf: (table: string) => string,
): Promise<R[]> {
  const lostGroups = () => all.machines?.lostGroups() ?? [];
  let failure: unknown = new Error('no cluster node responds');
  if (lostGroups().length === 0) {
    try {
      return await cutOffOnLoss(all, async (client) => (await client.query<R>(statementOf(table))).rows);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      failure = error;
    }
  }
  const query = { table, statement: statementOf('%s'), left_out: lostGroups() };
  const results = await cutOffOnLoss(all, (client) => machineByMachine<R>(client, query)).catch(() => []);
  if (results.length === 0) throw failure; // not a cluster, or its coordinator is lost
  return results.flat();
}

/** Lends a connection, and cuts it off if a machine is lost meanwhile, because the response may never come. */
async function cutOffOnLoss<T>(
  { pool, machines }: AllCompanies,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const stop = machines?.onLoss(() => cutOff(client, new SilentConnection('answer')));
  try {
    return await work(client);
  } finally {
    stop?.();
    client.release();
  }
}

interface MachineQuery {
  table: string;
  statement: string;
  left_out: readonly number[];
}

/** @returns the rows of each machine that responds */
async function machineByMachine<R>(
  client: pg.ClientBase,
  { table, statement, left_out: leftOut }: MachineQuery,
): Promise<R[][]> {
  if (!(await isDistributed(client))) return [];
  const { rows } = await client.query<{ is_there: boolean; found: string }>(
    `select response.success as is_there, response.result as found
     from (
       select array_agg(nodename) as names, array_agg(nodeport) as ports, array_agg(command) as commands
       from (
         select nodename::text, nodeport::int,
           format('select coalesce(json_agg(found), ''[]'') from (%s) as found',
             string_agg(format($2, shard_name(logicalrelid, shardid)), ' union all ')) as command
         from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
         where logicalrelid = $1::regclass and noderole = 'primary' and groupid <> all($3)
         group by nodename, nodeport
       ) as machine
     ) as machines, master_run_on_worker(names, ports, commands, true) as response`,
    [table, `(${statement})`, leftOut],
  );
  return rows.filter(({ is_there: isThere }) => isThere).map(({ found }) => JSON.parse(found));
}
