/**
 * Which processes send webhooks, and which of them are gone. A claim names the process that made it, so the leases of one that
 * is gone take no places of a subscription: what waits behind them is sent at once, while what it had claimed itself waits for
 * the end of its lease, because its receiver may have got it.
 *
 * Who lives has a session at the database that bears its id. The database notices the end of a process in the same moment,
 * by its sockets; a process that only lost its connection is back within one look.
 */
import type { Pool } from 'pg';
import { newId } from '../../platform/values/ids.ts';

/** Of the sessions; with an id no longer than Postgres keeps names. */
const application = 'collaborator-api-upkeep';
const keptDays = 1;

export interface Presence {
  /** Of this process. */
  readonly id: string;
  /** Of the pool that `look` is given: its name tells others that this process lives. */
  readonly application_name: string;
  /** Ids of processes that are gone, and may have left leases. */
  readonly gone: readonly string[];
  /**
   * Says that this one lives, and learns who is gone.
   * @returns whether somebody has gone since the last look; true for the first
   */
  look(pool: Pool): Promise<boolean>;
}

/** @param leaseMs of a claim: who was last seen longer ago has none that still counts */
export function createPresence(leaseMs: number): Presence {
  const id = newId();
  let gone: readonly string[] | undefined;
  return {
    id,
    application_name: `${application}:${id}`,
    get gone() {
      return gone ?? [];
    },
    async look(pool) {
      await pool.query(
        `insert into couriers (id, seen_at) values ($1, now()) on conflict (id) do update set seen_at = excluded.seen_at`,
        [id],
      );
      const { rows } = await pool.query<{ id: string }>(
        `select id from couriers
         where id <> $1 and seen_at > now() - make_interval(secs => $2::float8 / 1000)
           and not exists (select from pg_stat_activity where application_name = $3 || ':' || couriers.id)
         order by id`,
        [id, leaseMs, application],
      );
      const found = rows.map((row) => row.id);
      const isNews = gone === undefined || found.some((other) => !gone!.includes(other));
      gone = found;
      return isNews;
    },
  };
}

/** @returns how many that have not been seen for long were forgotten */
export async function forgetGoneCouriers(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query('delete from couriers where seen_at < now() - make_interval(days => $1)', [
    keptDays,
  ]);
  return rowCount ?? 0;
}
