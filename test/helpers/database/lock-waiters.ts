import type { TestDatabase } from './database.ts';

const waiting =
  "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** @returns the number of statements that wait for a lock in this database; on a cluster, across all nodes */
export async function lockWaiters({ query }: Pick<TestDatabase, 'query'>): Promise<number> {
  const [found] = await query("select to_regproc('run_command_on_all_nodes') is not null as is_cluster");
  const count = `select sum(result::int)::int as n from run_command_on_all_nodes($$${waiting}$$)`;
  const [row] = await query(found!.is_cluster ? count : waiting);
  return row!.n as number;
}
