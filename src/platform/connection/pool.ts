/** The pool of connections, with a limit on how many wait. */
import pg from 'pg';
import { Overload } from '../../contract/problem.ts';
import type { DatabaseObserver } from './observer.ts';

/** @param onIdleError told about connections that break while nobody uses them */
export function openPool(config: pg.PoolConfig, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', onIdleError);
  // A connection that breaks while in use fails its statement; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** @returns what refuses (by throwing) a request that would wait behind too many others */
export function admissionTo(
  pool: pg.Pool,
  { poolSize, maxWaiting = Number.POSITIVE_INFINITY }: { poolSize: number; maxWaiting?: number },
): () => void {
  return () => {
    const allBusy = pool.idleCount === 0 && pool.totalCount >= poolSize;
    if (allBusy && pool.waitingCount >= maxWaiting) throw new Overload('too many wait for a database connection');
  };
}

/**
 * @param admit asked before a connection is; may throw
 * @returns what lends a connection
 */
export function lenderOf(
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
