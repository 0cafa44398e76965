/**
 * Looking for what nobody came for: a worker died, a job was lost. The only statements that look across companies; they
 * read ids and counts, change nothing, and are for the worker alone, on its own connection.
 */
import type { Pool } from 'pg';
import type { Wakeup } from '../webhooks/wake-webhooks.ts';

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
