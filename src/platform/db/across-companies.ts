/**
 * Reading across companies, while not every machine of a Citus cluster answers.
 *
 * A statement over all companies asks all machines, and fails when one of them is lost. Then each machine is asked for
 * itself, and who does not answer is left out: companies elsewhere get their events, and their work goes on. So it is at once
 * while one is known to be lost, and what waits for it then is cut off.
 */
import type pg from 'pg';
import { isUnavailable } from '../../contract/problem.ts';
import { cutOff } from '../connection/library-internals.ts';
import { SilentConnection } from '../connection/postgres-client.ts';
import { isDistributed } from '../schema/citus.ts';
import type { Machines } from '../schema/machines.ts';

export interface AllCompanies {
  /** Without a guard: for the worker alone. */
  pool: pg.Pool;
  /** What is known of them; where nothing is, one that is silent is waited for. */
  machines?: Machines | undefined;
}

/**
 * @param table the distributed table that the statement reads, and the only one
 * @param statementOf the statement, over the table or a part of it; without parameters, and what it groups by begins with
 *   company_id
 * @returns its rows; while machines are lost without theirs, as they come, and up to the statement's limit from each part
 * @throws what the database fails with, when no machine answers
 */
export async function acrossCompanies<R extends pg.QueryResultRow>(
  all: AllCompanies,
  table: string,
  statementOf: (table: string) => string,
): Promise<R[]> {
  const lost = () => all.machines?.lostGroups() ?? [];
  let failure: unknown = new Error('no machine of the cluster answers');
  if (lost().length === 0) {
    try {
      return await unlessLost(all, async (client) => (await client.query<R>(statementOf(table))).rows);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      failure = error;
    }
  }
  const asked = { table, statement: statementOf('%s'), left_out: lost() };
  const answers = await unlessLost(all, (client) => machineByMachine<R>(client, asked)).catch(() => []);
  if (answers.length === 0) throw failure; // no cluster; or its coordinator is what is lost
  return answers.flat();
}

/** Lends a connection, and ends it when a machine is found to be lost meanwhile: it may never be answered. */
async function unlessLost<T>(
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

interface Asked {
  table: string;
  statement: string;
  /** Groups of machines. */
  left_out: readonly number[];
}

/** @returns the rows of each machine that answers */
async function machineByMachine<R>(
  client: pg.ClientBase,
  { table, statement, left_out: leftOut }: Asked,
): Promise<R[][]> {
  if (!(await isDistributed(client))) return [];
  const { rows } = await client.query<{ is_there: boolean; found: string }>(
    `select answer.success as is_there, answer.result as found
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
     ) as machines, master_run_on_worker(names, ports, commands, true) as answer`,
    [table, `(${statement})`, leftOut],
  );
  return rows.filter(({ is_there: isThere }) => isThere).map(({ found }) => JSON.parse(found));
}
