/** Reads from a replica that aren't stale: gets the primary's WAL position, and waits until the replica has replayed it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openPool } from '../connection/pool.ts';
import { sessionTo } from '../connection/session.ts';

const pollIntervalMs = 20;

interface Replica<D> {
  db: D;
  /** Never throws: an unreachable replica isn't used. */
  hasCaughtUp(): Promise<boolean>;
  close(): Promise<void>;
}

/** @param open opens the database at a URL */
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
  waitMs: number;
}

/** @returns whether the replica now has everything committed before this call */
async function hasCaughtUp({ primary, replica, waitMs }: ReplicaOptions): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  const { rows } = await primary.query<{ position: string }>('select pg_current_wal_insert_lsn() as position');
  const { position } = rows[0]!;
  for (;;) {
    // Null on a server that isn't a replica or doesn't replay WAL: it never catches up.
    const result = await replica.query<{ there: boolean | null }>(
      'select pg_last_wal_replay_lsn() >= $1::pg_lsn as there',
      [position],
    );
    if (result.rows[0]!.there) return true;
    if (result.rows[0]!.there === null || performance.now() >= deadline) return false;
    await sleep(pollIntervalMs);
  }
}
