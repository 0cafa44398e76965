/**
 * Wakes a worker for a subscription: a job added by the transaction that makes deliveries due. The job carries only ids
 * and decides nothing; the work is in `deliveries`, so losing or doubling a job does no harm.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { prepared } from '../../platform/db/statement.ts';
import { flagsOf, versioned } from '../../platform/queue/job-versions.ts';

/** The name of the task. */
export const deliverTask = 'deliver' as const;

/** What the jobs carry. */
export interface Wakeup {
  company_id: string;
  webhook_id: string;
}

/**
 * At once. A subscription that is woken several times before a worker gets to it has one job.
 *
 * If that job runs already, its row changes. The queue removes rows of jobs that have ended together in one statement, in
 * any order: so a transaction that changes two of them may get in its way, and both would wait for ever for the other.
 * @param tx a transaction in which nothing else is woken
 */
export async function wakeWebhook(
  tx: QueryExecutorProvider,
  { company_id: companyId, webhook_id: webhookId }: Wakeup,
): Promise<void> {
  await addJobs(tx, [{ payload: { company_id: companyId, webhook_id: webhookId }, key: `deliver:${webhookId}` }]);
}

/**
 * Several, each by itself. What is not woken because the process ends is found by who looks for what is overdue.
 * @param db not in a transaction
 */
export async function wakeWebhooks(db: QueryExecutorProvider, wakeups: readonly Wakeup[]): Promise<void> {
  for (const wakeup of wakeups) await wakeWebhook(db, wakeup);
}

/** A retry, when it is due. */
interface Retry extends Wakeup {
  due_at: string;
}

/** Each attempt has one, so they need no key, and touch no row that is there already. */
export async function wakeForRetries(tx: QueryExecutorProvider, retries: readonly Retry[]): Promise<void> {
  if (retries.length === 0) return;
  await addJobs(
    tx,
    retries.map(({ company_id: companyId, webhook_id: webhookId, due_at: dueAt }) => ({
      payload: { company_id: companyId, webhook_id: webhookId },
      run_at: dueAt,
    })),
  );
}

async function addJobs(tx: QueryExecutorProvider, wakeups: { payload: Wakeup; key?: string; run_at?: string }[]) {
  const jobs = wakeups.map((wakeup) => ({ ...wakeup, payload: versioned(deliverTask, wakeup.payload) }));
  // `add_jobs` would refuse a key whose job is locked, while `add_job` replaces it.
  await prepared(sql`
    select graphile_worker.add_job(${deliverTask}, payload, run_at => coalesce(run_at, now()), job_key => key,
      max_attempts => 5, flags => ${flagsOf(deliverTask)}::text[])
    from json_to_recordset(${JSON.stringify(jobs)}::json) as job (payload json, key text, run_at timestamptz)`).execute(
    tx,
  );
}
