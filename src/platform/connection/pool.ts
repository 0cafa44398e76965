/** The connection pool, with a limit on the number of waiting callers. */
import pg from 'pg';
import { Overload } from '../../contract/problem.ts';
import type { DatabaseObserver } from './observer.ts';

/** @param onIdleError called for connections that break while unused */
export function openPool(config: pg.PoolConfig, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', onIdleError);
  // A connection that breaks in use fails its statement; without a listener the error would also crash the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** @returns a function that throws if too many callers already wait */
export function admissionTo(
  pool: pg.Pool,
  { poolSize, maxWaiting = Number.POSITIVE_INFINITY }: { poolSize: number; maxWaiting?: number },
): () => void {
  return () => {
    const allBusy = pool.idleCount === 0 && pool.totalCount >= poolSize;
    if (allBusy && pool.waitingCount >= maxWaiting)
      throw new Overload('too many requests wait for a database connection');
  };
}

/** @param admit called before a connection is requested; may throw @returns a function that lends a connection */
export function connectionLender(
  pool: pg.Pool,
  observer: DatabaseObserver | undefined,
  admit?: () => void,
): () => Promise<pg.PoolClient> {
  return async () => {
    admit?.();
    const startedMs = performance.now();
    try {
      const client = await pool.connect();
      observer?.acquired(performance.now() - startedMs, undefined);
      return client;
    } catch (error) {
      observer?.acquired(performance.now() - startedMs, error);
      throw error;
    }
  };
}
