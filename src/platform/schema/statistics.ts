/**
 * Keeps the planner informed while tables grow fast. Postgres gathers statistics by itself, but up to a minute late: by
 * then the first import of a new service has added tens of thousands of people to tables that it takes for empty.
 */
import type { Pool } from 'pg';

const grow_fast = ['collaborators', 'collaborator_history', 'events', 'deliveries'];

/**
 * Gathers the statistics of tables that have doubled, or changed as much, since the last time; less than that is left to
 * Postgres. Reads a sample, so it takes a second or so however large the table is.
 * @returns the tables
 */
export async function freshenStatistics(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_stat_user_tables
     where schemaname = current_schema() and relname = any($1)
       and n_mod_since_analyze > 1000 + (n_live_tup - n_mod_since_analyze)`,
    [grow_fast],
  );
  for (const { name } of rows) await pool.query(`analyze (skip_locked) ${name}`); // whoever holds it is at it already
  return rows.map(({ name }) => name);
}
