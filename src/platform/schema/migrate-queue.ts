/** The tables of the queue (graphile-worker), in the same database as everything else. */
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { sessionTo } from '../connection/session.ts';

/** Brings the queue's own tables up to date; safe when several processes do it at once. */
export async function migrateQueue(url: string): Promise<void> {
  const pool = new pg.Pool(sessionTo(url, { max: 2, application_name: 'migrate', connectionTimeoutMillis: 10_000 }));
  pool.on('error', () => {}); // the next use of the pool gets the error
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await runMigrations({ pgPool: pool, logger: silent });
  } finally {
    await pool.end();
  }
}

const silent = new Logger(() => () => {});
