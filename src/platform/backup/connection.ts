/** Database connections for backup and restore: separate from the service's pool, and without timeouts. */
import type pg from 'pg';
import { openSession } from '../connection/open.ts';
import type { SqlRunner } from '../files/store/store-binding.ts';

/**
 * @param name shown in pg_stat_activity
 * @param onLost called when the connection breaks; the running statement fails as well
 */
export async function connect(url: string, name: 'backup' | 'restore', onLost = () => {}): Promise<pg.Client> {
  return openSession(url, { application_name: name }, onLost);
}

export function sqlRunnerOn(client: pg.Client): SqlRunner {
  return async <R>(sql: string, values: unknown[]) => (await client.query(sql, values)).rows as R[];
}

/**
 * Removes time limits and sets value formats, for this transaction only: behind a pooler, connection settings would leak.
 * @param lockTimeout in Postgres' syntax
 */
export async function limitWaits(client: pg.Client, lockTimeout: string): Promise<void> {
  await client.query(`
    set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
    set local lock_timeout = '${lockTimeout}'; set local timezone = 'UTC'; set local datestyle = 'ISO'`);
}
