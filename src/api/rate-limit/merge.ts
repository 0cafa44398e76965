/**
 * How processes tell each other what they counted: sums by minute and key, in an unlogged table.
 *
 * A process hears the sums of what it counts itself, and of all that has come near its limit, wherever it was counted. Everything
 * that was counted anywhere would be too much: fifty processes would read it all a hundred times a second.
 */
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import type { Count } from './window.ts';

/** A change is looked for this long after it was made, because others see it only when its transaction is over. */
const overlapMs = 1_000;

/** From which sum on every process hears of a key, by its policy. */
type Near = Readonly<Record<string, number>>;

/**
 * Adds what was counted here.
 * @param near for each policy that the keys begin with
 * @param sinceMs the database's time of the last merge of this minute; 0 at the first
 * @returns the sums that changed here, and those that changed elsewhere since then and are near their limit; one may appear
 *   twice, the greater is the newer
 */
export async function mergeCounts(
  db: Database,
  minute: number,
  counted: Count[],
  near: Near,
  sinceMs: number,
): Promise<{ database_ms: number; totals: Count[] }> {
  const keys = counted.map(([key]) => key);
  const points = counted.map(([, points]) => points);
  const limits = JSON.stringify(near);
  // In the order of the keys, so that two processes never wait for each other.
  const { rows } = await sql<{ database_ms: number; totals: Count[] }>`
    with merged as (
      insert into rate_limit_windows as known (minute, key, points, changed_at, is_near)
      select ${minute}, key, points, clock_timestamp(),
        points >= (${limits}::jsonb ->> split_part(key, ' ', 1))::integer
      from unnest(${keys}::text[], ${points}::integer[]) as counted (key, points)
      order by key
      on conflict (minute, key) do update
        set points = known.points + excluded.points, changed_at = clock_timestamp(),
          is_near = known.points + excluded.points >= (${limits}::jsonb ->> split_part(known.key, ' ', 1))::integer
      returning key, points
    ), news as (
      select key, points from merged
      union all
      select key, points from rate_limit_windows
      where minute = ${minute} and is_near and changed_at > to_timestamp(${(sinceMs - overlapMs) / 1_000}::float8)
    )
    select (extract(epoch from statement_timestamp()) * 1000)::float8 as database_ms,
      coalesce(json_agg(json_build_array(key, points)), '[]') as totals
    from news`.execute(db.global);
  return rows[0]!;
}

/** Deletes the windows that are over by the database's clock, and with time to spare for those who see another. */
export async function deleteOldCounts(db: Database): Promise<void> {
  await sql`
    delete from rate_limit_windows where minute < floor(extract(epoch from clock_timestamp()) / 60)::integer - 2`.execute(
    db.global,
  );
}
