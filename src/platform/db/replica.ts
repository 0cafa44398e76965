/**
 * Reading from a replica what is not older than the question: first the primary is asked how far it has written, then the
 * replica is waited for until it has come that far. A replica that is gone, or too far behind, is not used.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openPool } from '../connection/pool.ts';
import { sessionTo } from '../connection/session.ts';

const lookEveryMs = 20;

interface Replica<D> {
  db: D;
  /** Never throws: a replica that can not be reached is not used. */
  hasCaughtUp(): Promise<boolean>;
  close(): Promise<void>;
}

/** @param open opens the database at an address */
export function openReplica<D extends { close(): Promise<void> }>(
  { url, waitMs }: { url: string; waitMs: number },
  primary: pg.Pool,
  onIdleError: (error: Error) => void,
  open: (url: string) => D,
): Replica<D> {
  const config = sessionTo(url, {
    connectionTimeoutMillis: waitMs,
    socketTimeout: { limitMs: waitMs },
    max: 1,
    application_name: 'collaborator-api',
  });
  const replica = openPool(config, onIdleError);
  const db = open(url);
  return {
    db,
    async hasCaughtUp() {
      try {
        return await hasCaughtUp({ primary, replica, waitMs });
      } catch (error) {
        onIdleError(error as Error);
        return false;
      }
    },
    async close() {
      await replica.end();
      await db.close();
    },
  };
}

interface ReplicaOptions {
  primary: pg.Pool;
  replica: pg.Pool;
  /** How long the replica may take to come that far. */
  waitMs: number;
}

/** @returns whether the replica has everything by now that was committed before this was called */
async function hasCaughtUp({ primary, replica, waitMs }: ReplicaOptions): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  const { rows } = await primary.query<{ position: string }>('select pg_current_wal_insert_lsn() as position');
  const { position } = rows[0]!;
  for (;;) {
    // Not known on a server that is no replica, or one that does not replay a log: then it is never there.
    const answer = await replica.query<{ there: boolean | null }>(
      'select pg_last_wal_replay_lsn() >= $1::pg_lsn as there',
      [position],
    );
    if (answer.rows[0]!.there) return true;
    if (answer.rows[0]!.there === null || performance.now() >= deadline) return false;
    await sleep(lookEveryMs);
  }
}
