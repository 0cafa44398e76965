/** Migrates the tables of the queue (graphile-worker), which are in the same database. */
import type pg from 'pg';
import { connected, openSession } from '../connection/open.ts';
import { openPool } from '../connection/pool.ts';
import { sessionTo } from '../connection/session.ts';

/** The newest migration of the installed library version; a test compares them. */
export const newestMigration = 20;

/**
 * For recovery, which looks for dead workers every few seconds, however many jobs wait. Our own: if the library replaces the table,
 * the index goes with it, and is added again. The lock is for concurrent migrations, which `if not exists` allows to collide.
 */
const addIndex = `
  begin;
  lock table graphile_worker._private_jobs in share row exclusive mode;
  create index if not exists jobs_locked on graphile_worker._private_jobs (locked_by) where locked_by is not null;
  commit`;

/** Migrates the queue's tables; safe to run concurrently. Loads the slow library only if there is something to do. */
export async function migrateQueue(url: string, client?: pg.Client): Promise<void> {
  const upToDate = client
    ? await isUpToDate(client)
    : await connected(openSession(url, { application_name: 'migrate' }), isUpToDate);
  if (upToDate) return;
  const { Logger, runMigrations } = await import('graphile-worker');
  const config = sessionTo(url, { max: 2, application_name: 'migrate', connectionTimeoutMillis: 10_000 });
  const pool = openPool(config, () => {}); // the next use of the pool gets the error
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
    await pool.query(addIndex);
  } finally {
    await pool.end();
  }
}

async function isUpToDate(client: pg.Client): Promise<boolean> {
  try {
    const { rows } = await client.query<{ newest: number; is_indexed: boolean }>(
      `select max(id) as newest, to_regclass('graphile_worker.jobs_locked') is not null as is_indexed
       from graphile_worker.migrations`,
    );
    return rows[0]!.newest === newestMigration && rows[0]!.is_indexed;
  } catch (error) {
    if ((error as pg.DatabaseError).code === undefinedTable) return false;
    throw error;
  }
}

const undefinedTable = '42P01';
