/**
 * Finds imports that no worker runs, because a worker died or a job was lost. Reads across companies, changes nothing,
 * and is for the worker alone, on its own connection.
 */
import type { Pool } from 'pg';
import { patient_attempts } from './import-lease.ts';

const most = 1_000;

/**
 * @param patience_ms how long one may be due before it counts as overdue
 * @returns the companies in which one is due and none is being carried out
 */
export async function overdueImports(pool: Pool, patience_ms: number): Promise<string[]> {
  const { rows } = await pool.query<{ company_id: string }>(
    `select company_id from imports where due_at is not null group by company_id
     having min(due_at) < now() - make_interval(secs => $1::float8 / 1000)
       and coalesce(max(due_at) filter (where is_held or attempts < $3), now()) <= now()
     order by min(due_at) limit $2`,
    [patience_ms, most, patient_attempts],
  );
  return rows.map(({ company_id }) => company_id);
}
