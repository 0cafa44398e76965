/**
 * Reading across companies, while not every machine of a Citus cluster answers.
 *
 * A statement over all companies asks all machines, and fails when one of them is lost. Then each machine is asked for
 * itself, and who does not answer is left out: companies elsewhere get their events, and their work goes on.
 */
import type pg from 'pg';
import { isUnavailable } from '../../contract/problem.ts';
import { isDistributed } from '../schema/citus.ts';

/**
 * @param pool without a guard: for the worker alone
 * @param table the distributed table that the statement reads, and the only one
 * @param statementOf the statement, over the table or a part of it; without parameters, and what it groups by begins with
 *   company_id
 * @returns its rows; while machines are lost without theirs, as they come, and up to the statement's limit from each part
 * @throws what the database fails with, when no machine answers
 */
export async function acrossCompanies<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  table: string,
  statementOf: (table: string) => string,
): Promise<R[]> {
  try {
    return (await pool.query<R>(statementOf(table))).rows;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const answers = await machineByMachine<R>(pool, table, statementOf('%s')).catch(() => []);
    if (answers.length === 0) throw error; // no cluster; or its coordinator is what is lost
    return answers.flat();
  }
}

/** @returns the rows of each machine that answers */
async function machineByMachine<R>(pool: pg.Pool, table: string, statement: string): Promise<R[][]> {
  if (!(await isDistributed(pool))) return [];
  const { rows } = await pool.query<{ is_there: boolean; found: string }>(
    `select answer.success as is_there, answer.result as found
     from (
       select array_agg(nodename) as names, array_agg(nodeport) as ports, array_agg(command) as commands
       from (
         select nodename::text, nodeport::int,
           format('select coalesce(json_agg(found), ''[]'') from (%s) as found',
             string_agg(format($2, shard_name(logicalrelid, shardid)), ' union all ')) as command
         from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
         where logicalrelid = $1::regclass and noderole = 'primary'
         group by nodename, nodeport
       ) as machine
     ) as machines, master_run_on_worker(names, ports, commands, true) as answer`,
    [table, `(${statement})`],
  );
  return rows.filter(({ is_there }) => is_there).map(({ found }) => JSON.parse(found));
}
