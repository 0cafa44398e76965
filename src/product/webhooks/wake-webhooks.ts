/**
 * Wakes a worker for a subscription: a job added by the transaction that makes deliveries due. The job carries only ids
 * and decides nothing; the work is in `deliveries`, so losing or doubling a job does no harm.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { prepared } from '../../platform/db/statement.ts';

/** The name of the task. */
export const deliver_task = 'deliver';

/** What the jobs carry. */
export interface Wakeup {
  company_id: string;
  webhook_id: string;
}

/** At once. Subscriptions that are woken several times before a worker gets to it have one job. */
export async function wakeWebhooks(tx: QueryExecutorProvider, wakeups: readonly Wakeup[]): Promise<void> {
  if (wakeups.length === 0) return;
  const jobs = wakeups.map((payload) => ({ payload, key: `deliver:${payload.webhook_id}` }));
  await addJobs(tx, jobs);
}

/** A retry, when it is due. A delivery has one job at most. */
interface Retry extends Wakeup {
  delivery_id: string;
  due_at: string;
}

export async function wakeForRetries(tx: QueryExecutorProvider, retries: readonly Retry[]): Promise<void> {
  if (retries.length === 0) return;
  await addJobs(
    tx,
    retries.map(({ company_id, webhook_id, delivery_id, due_at }) => {
      return { payload: { company_id, webhook_id }, key: `retry:${delivery_id}`, run_at: due_at };
    }),
  );
}

async function addJobs(tx: QueryExecutorProvider, jobs: { payload: Wakeup; key: string; run_at?: string }[]) {
  // One query for all; `add_jobs` would refuse a key whose job is locked, while `add_job` replaces it.
  await prepared(sql`
    select graphile_worker.add_job(${deliver_task}, payload, run_at => coalesce(run_at, now()), job_key => key, max_attempts => 5)
    from json_to_recordset(${JSON.stringify(jobs)}::json) as job (payload json, key text, run_at timestamptz)
    order by key`).execute(tx);
}
