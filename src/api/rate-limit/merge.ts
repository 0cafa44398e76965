/**
 * Exchanges counts between processes, in an unlogged table. A process reads the sums of its own keys, and of all keys near their
 * limit: fifty processes that read every key a hundred times a second would be too much.
 */
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import type { Count } from './window.ts';

/** Changes are visible to others only after commit, so each merge looks back this far. */
const overlapMs = 1_000;

/** By policy: the sum from which every process reads a key. */
type MergeThresholds = Readonly<Record<string, number>>;

/**
 * Adds the counts of this process.
 * @param thresholds for each policy that prefixes a key
 * @param sinceMs the database's time of the last merge of this minute; 0 for the first
 * @returns changed sums of this process and near the limit; if a key appears twice, the greater sum is the newer
 */
export async function mergeCounts(
  db: Database,
  minute: number,
  counted: Count[],
  thresholds: MergeThresholds,
  sinceMs: number,
): Promise<{ database_ms: number; totals: Count[] }> {
  const keys = counted.map(([key]) => key);
  const points = counted.map(([, points]) => points);
  const limits = JSON.stringify(thresholds);
  // Sorted by key, which avoids deadlocks.
  const { rows } = await sql<{ database_ms: number; totals: Count[] }>`
    with merged as (
      insert into rate_limit_windows as known (minute, key, points, changed_at, is_near)
      select ${minute}, key, points, clock_timestamp(),
        points >= (${limits}::jsonb ->> split_part(key, ' ', 1))::bigint
      from unnest(${keys}::text[], ${points}::integer[]) as counted (key, points)
      order by key
      on conflict (minute, key) do update
        set points = known.points + excluded.points, changed_at = clock_timestamp(),
          is_near = known.points + excluded.points >= (${limits}::jsonb ->> split_part(known.key, ' ', 1))::bigint
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

/** Deletes windows that ended by the database's clock, with a margin for clock skew. */
export async function deleteOldCounts(db: Database): Promise<void> {
  await sql`
    delete from rate_limit_windows where minute < floor(extract(epoch from clock_timestamp()) / 60)::integer - 2`.execute(
    db.global,
  );
}
