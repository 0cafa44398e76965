/** Database connections for backup and restore: separate from the service's pool, and without timeouts. */
import type pg from 'pg';
import { openSession } from '../connection/open.ts';
import type { Ask } from '../files/store/store-mark.ts';

/**
 * @param name told to the database, so that its operator sees who is at work
 * @param onLost called when the connection breaks; what runs on it fails as well
 * @throws when Postgres does not answer
 */
export async function connect(url: string, name: 'backup' | 'restore', onLost = () => {}): Promise<pg.Client> {
  return openSession(url, { application_name: name }, onLost);
}

/** Statements of the kind that any connection may run. */
export function askingOn(client: pg.Client): Ask {
  return async <R>(sql: string, values: unknown[]) => (await client.query(sql, values)).rows as R[];
}

/**
 * Lets the transaction take its time, and sets how values are written. Of this transaction alone: settings of the
 * connection would be somebody else's behind a pooler.
 * @param lock_timeout how long it waits for a lock, as Postgres writes it
 */
export async function limitWaits(client: pg.Client, lockTimeout: string): Promise<void> {
  await client.query(`
    set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
    set local lock_timeout = '${lockTimeout}'; set local timezone = 'UTC'; set local datestyle = 'ISO'`);
}
