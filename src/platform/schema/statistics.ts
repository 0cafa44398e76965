/**
 * Analyzes fast-growing tables: autovacuum is a minute late, and a first import fills tables that the planner considers empty.
 */
import type { ClientBase, Pool } from 'pg';

const growFast = ['collaborators', 'collaborator_history', 'events', 'deliveries'];

/** Analyzes tables that have doubled since the last time. Reads a sample, so it takes about a second for any size. */
export async function refreshStatistics(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_stat_user_tables
     where schemaname = current_schema() and relname = any($1)
       and n_mod_since_analyze > 1000 + (n_live_tup - n_mod_since_analyze)`,
    [growFast],
  );
  for (const { name } of rows) await pool.query(`analyze (skip_locked) ${name}`); // another session is already analyzing it
  return rows.map(({ name }) => name);
}

/**
 * Removes deleted rows' values from planner statistics, which include names and addresses. ANALYZE replaces them, but not those
 * of an empty table, which Postgres 18 and later can clear. Skips tables that the login can't analyze.
 */
export async function clearErasedValues(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ name: string; id: string; version: number }>(
    `select c.oid::regclass::text as name, c.oid::text as id, current_setting('server_version_num')::integer as version
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p')
       and (pg_has_role(c.relowner, 'usage')
         or (current_setting('server_version_num')::integer >= 170000 and has_table_privilege(c.oid, 'maintain')))
     order by name`,
  );
  const empty: string[] = [];
  for (const { name, id, version } of rows) {
    await client.query(`analyze ${name}`);
    const { rows: remaining } = await client.query(`select from ${name} limit 1`);
    if (remaining.length === 0 && version >= 180_000) empty.push(id);
  }
  if (empty.length > 0) await client.query(clearStatement, [empty]);
}

/** For all tables at once, since it reads the statistics of the whole database. Includes indexes on expressions. */
const clearStatement = `
  select pg_clear_attribute_stats(s.schemaname::text, s.tablename::text, s.attname::text, s.inherited)
  from pg_stats s join pg_class c on c.relname = s.tablename
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = s.schemaname
  where c.oid = any($1::oid[]) or c.oid in (select indexrelid from pg_index where indrelid = any($1::oid[]))`;
