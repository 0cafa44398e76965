/**
 * Looking for what nobody came for: a worker died, a job was lost. The only statements that look across companies; they
 * read ids and counts, change nothing, and are for the worker alone, on its own connection.
 */
import type { Pool } from 'pg';
import type { Wakeup } from './wake.ts';

/** How long something may be due before it counts as overdue, in milliseconds. */
const patience_ms = 2_000;
const most = 1_000;

export async function overdueWebhooks(pool: Pool): Promise<Wakeup[]> {
  const { rows } = await pool.query<Wakeup>(
    `select company_id, webhook_id from deliveries
     where status in ('pending', 'delivering') and due_at < now() - make_interval(secs => $1::float8 / 1000)
     group by company_id, webhook_id order by min(due_at) limit $2`,
    [patience_ms, most],
  );
  return rows;
}

/** The state of the queue: deliveries that are due now. */
export interface Overdue {
  deliveries: number;
  oldest_age_s: number;
}

export async function dueNow(pool: Pool): Promise<Overdue> {
  const { rows } = await pool.query<{ deliveries: number; oldest_age_s: number }>(
    `select count(*)::int as deliveries, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest_age_s
     from deliveries where status in ('pending', 'delivering') and due_at <= now()`,
  );
  return rows[0]!;
}
