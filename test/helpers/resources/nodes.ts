/** Runs statements on the servers of a test run: a single Postgres, or all nodes of a cluster. */
import pg from 'pg';
import { databaseUrl } from '../../../scripts/cluster/nodes.ts';

/** Kept for the next test file: connecting takes longer than most of these statements. */
const pools = new Map<string, pg.Pool>();

export async function onEveryNode(urls: readonly string[], sql: string): Promise<void> {
  await Promise.all(urls.map((url) => poolOf(url).query(sql)));
}

function poolOf(url: string): pg.Pool {
  const known = pools.get(url);
  if (known) return known;
  // The idle connection doesn't keep the process running.
  const pool = new pg.Pool({
    connectionString: databaseUrl(url, 'postgres'),
    allowExitOnIdle: true,
    idleTimeoutMillis: 0,
  });
  pool.on('error', () => {}); // the server ended first
  pools.set(url, pool);
  return pool;
}
