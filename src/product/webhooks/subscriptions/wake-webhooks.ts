/**
 * Jobs of subscriptions. A job is one turn of one subscription (`delivery/delivery-turn.ts`), keyed by the subscription's id: so at most
 * one job waits, and at most one job with the key runs.
 *
 * No wake-up is lost, because each side holds the job's row lock until its own change is visible:
 *
 * - Code that makes deliveries due calls `wakeWebhooks` in that transaction. It moves a waiting job to now, which no worker
 *   takes before the commit. It leaves a running job unchanged, but locked until the commit.
 * - A turn drops its key (`dropKey`) before its last check. That waits for the commit of transactions that relied on it, so the
 *   last check finds their deliveries. Later transactions find no key, and add a job.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { prepared } from '../../../platform/db/statement.ts';
import { flagsOf, versioned } from '../../../platform/queue/job-versions.ts';

export const deliverTask = 'deliverWebhook' as const;

export interface Wakeup {
  company_id: string;
  webhook_id: string;
}

/** The flag that limits the share of a company in a process. */
function companyFlag(companyId: string): string {
  return `company:${companyId}`;
}

function jobKey(webhookId: string): string {
  return `deliver:${webhookId}`;
}

export async function wakeWebhook(tx: QueryExecutorProvider, { company_id: companyId, webhook_id: webhookId }: Wakeup) {
  await wakeWebhooks(tx, companyId, [webhookId]);
}

/**
 * Ensures that a turn checks for deliveries after this transaction commits. Only the dispatcher wakes several, under the company's
 * lock: two that wake the same ones could deadlock, because another pass returns to earlier jobs.
 *
 * @param tx the transaction that makes them due; or none, if they are committed
 * @returns the subscriptions with a running turn, which will check again
 */
export async function wakeWebhooks(
  tx: QueryExecutorProvider,
  companyId: string,
  webhookIds: readonly string[],
  runAt: string | null = null,
): Promise<string[]> {
  const running: string[] = [];
  // The same order everywhere, against deadlocks.
  for (let remaining = webhookIds.toSorted(); remaining.length > 0; ) {
    const { rows } = await addJobs(companyId, remaining, runAt).execute(tx);
    running.push(...rows.filter(({ is_running: isRunning }) => isRunning).map(({ id }) => id));
    // The library adds nothing if a worker has just taken the job; the next pass sees it running.
    remaining = rows.filter(({ is_missed: isMissed }) => isMissed).map(({ id }) => id);
  }
  return running;
}

/**
 * Keeps a waiting job that is due before `runAt`: its turn finds out when the next is due. With `runAt`, the row is locked
 * against being moved to now. A row that isn't visible yet keeps its time, and another pass checks whether that is early enough.
 */
function addJobs(companyId: string, webhookIds: readonly string[], runAt: string | null) {
  const jobs = webhookIds.map((id) => {
    const payload = versioned(deliverTask, { company_id: companyId, webhook_id: id });
    return { id, key: jobKey(id), payload };
  });
  const flags = [companyFlag(companyId), ...(flagsOf(deliverTask) ?? [])];
  return prepared(sql<{ id: string; is_running: boolean; is_missed: boolean }>`
    with there as materialized (
      select key, locked_at is not null as is_running, run_at from graphile_worker._private_jobs
      where key = any(${jobs.map(({ key }) => key)}::text[]) and (locked_at is not null or attempts < max_attempts)
      order by key ${runAt === null ? sql`for key share` : sql`for no key update`}
    )
    select job.id, coalesce(there.is_running, false) as is_running,
      case
        when there.is_running or there.run_at <= ${runAt}::timestamptz then false
        else graphile_worker.add_job(${deliverTask}, job.payload, run_at => coalesce(${runAt}::timestamptz, now()),
          job_key => job.key, flags => ${flags}::text[],
          job_key_mode => case when ${runAt}::timestamptz is null or there.key is not null then 'replace'
            else 'preserve_run_at' end) is null
          or ${runAt}::timestamptz is not null and there.key is null
      end as is_missed
    from json_to_recordset(${JSON.stringify(jobs)}::json) as job (id text, key text, payload json)
    left join there on there.key = job.key
    order by job.key`);
}

/** Later transactions then add a new job. Waits for transactions that relied on this one. @param db not in a transaction */
export async function dropKey(db: QueryExecutorProvider, jobId: number): Promise<void> {
  await prepared(
    sql`update graphile_worker._private_jobs set key = null where id = ${jobId} and key is not null`,
  ).execute(db);
}

/**
 * Removes the job of a turn at its end, by a statement of its own. The library removes several at once, in any order. That can
 * deadlock with a transaction that wakes them: it also keeps locks of jobs whose key was dropped before it got the lock.
 */
export async function removeJob(db: QueryExecutorProvider, jobId: number): Promise<void> {
  await prepared(sql`delete from graphile_worker._private_jobs where id = ${jobId}`).execute(db);
}

/** @returns the jobs that no worker runs anymore */
export async function deadJobs(db: QueryExecutorProvider, jobIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from graphile_worker._private_jobs where id = any(${jobIds}::bigint[]) and locked_at is not null`.execute(
    db,
  );
  const alive = new Set(rows.map(({ id }) => id));
  return jobIds.filter((id) => !alive.has(id));
}

/** @returns the subscriptions without a waiting or running job */
export async function withoutJob(db: QueryExecutorProvider, wakeups: readonly Wakeup[]): Promise<Wakeup[]> {
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker._private_jobs
    where key = any(${wakeups.map(({ webhook_id: id }) => jobKey(id))}::text[])
      and (locked_at is not null or attempts < max_attempts)`.execute(db);
  const known = new Set(rows.map(({ key }) => key));
  return wakeups.filter(({ webhook_id: id }) => !known.has(jobKey(id)));
}
