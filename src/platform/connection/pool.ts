/** The pool of connections: with named statements, and with a limit on how many wait. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { Overload } from '../../contract/problem.ts';
import type { DatabaseObserver } from './observer.ts';

const max_statements_remembered = 2_000;

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
  { pool_size, max_waiting = Number.POSITIVE_INFINITY }: { pool_size: number; max_waiting?: number },
): () => void {
  return () => {
    const all_busy = pool.idleCount === 0 && pool.totalCount >= pool_size;
    if (all_busy && pool.waitingCount >= max_waiting) throw new Overload('too many wait for a database connection');
  };
}

/**
 * A name for every parameterised statement, so that Postgres parses and plans it once per connection. It is a hash of the
 * text: the same text is the same statement in every process.
 */
export function statementNames(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known) return known;
    const name = createHash('sha1').update(text).digest('base64url');
    if (names.size >= max_statements_remembered) names.clear();
    names.set(text, name);
    return name;
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
    const started_ms = performance.now();
    return pool.connect().finally(() => observer?.acquired(performance.now() - started_ms));
  };
}
