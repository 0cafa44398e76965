/**
 * Jobs of subscriptions. A job is one turn of one subscription (`delivery/turn.ts`), and its key the subscription's id: so one
 * waits at most, and one runs that has the key.
 *
 * Nothing is lost, because each side holds the row of the job until it has said what the other has to know:
 *
 * - Whoever makes deliveries due calls `wakeWebhooks` in that transaction. A job that waits is moved to now, and nobody takes it
 *   before the commit. A job that runs is left as it is, locked until the commit.
 * - A turn gives up its key (`dropKey`) before it looks for the last time. That waits for the commit of whoever relied on it, so
 *   the last look finds what they have made due. Whoever comes later finds no key, and adds a job.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { prepared } from '../../../platform/db/statement.ts';
import { flagsOf, versioned } from '../../../platform/queue/job-versions.ts';

/** The name of the task. */
export const deliverTask = 'deliverWebhook' as const;

/** What the jobs carry. */
export interface Wakeup {
  company_id: string;
  webhook_id: string;
}

/** Jobs of one company are told apart from others by this flag: no company has all places of a process. */
function companyFlag(companyId: string): string {
  return `company:${companyId}`;
}

function jobKey(webhookId: string): string {
  return `deliver:${webhookId}`;
}

/** @param tx the transaction that makes deliveries of the subscription due */
export async function wakeWebhook(tx: QueryExecutorProvider, { company_id: companyId, webhook_id: webhookId }: Wakeup) {
  await wakeWebhooks(tx, companyId, [webhookId]);
}

/**
 * Sees to it that a turn looks for deliveries after this transaction has committed.
 * @param tx the transaction that makes them due; or none, when they are committed
 * @param runAt when the turn is to be; default: now
 * @returns the subscriptions that have a turn now, which will look again
 */
export async function wakeWebhooks(
  tx: QueryExecutorProvider,
  companyId: string,
  webhookIds: readonly string[],
  runAt: string | null = null,
): Promise<string[]> {
  const running: string[] = [];
  // In this order everywhere, so that no two wait for each other.
  for (let left = webhookIds.toSorted(); left.length > 0; ) {
    const { rows } = await addJobs(companyId, left, runAt).execute(tx);
    running.push(...rows.filter(({ is_running: isRunning }) => isRunning).map(({ id }) => id));
    // The library adds nothing where a worker has just taken the job: now it is seen to run.
    left = rows.filter(({ is_missed: isMissed }) => isMissed).map(({ id }) => id);
  }
  return running;
}

/**
 * A job that waits and is due sooner than `runAt` stays so: its turn will find out by itself when the next is due. With `runAt`, the row is
 * locked against whoever moves it to now, and a row that is not to be seen yet keeps its time; then another look shows whether
 * that is soon enough.
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

/**
 * A turn gives up its key: whoever makes something due from now on adds a job. Waits for transactions that relied on this one.
 * @param db not in a transaction
 */
export async function dropKey(db: QueryExecutorProvider, jobId: number): Promise<void> {
  await prepared(
    sql`update graphile_worker._private_jobs set key = null where id = ${jobId} and key is not null`,
  ).execute(db);
}

/**
 * @param jobIds of turns that had deliveries under way
 * @returns those that no worker is at any more
 */
export async function goneJobs(db: QueryExecutorProvider, jobIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from graphile_worker._private_jobs where id = any(${jobIds}::bigint[]) and locked_at is not null`.execute(
    db,
  );
  const alive = new Set(rows.map(({ id }) => id));
  return jobIds.filter((id) => !alive.has(id));
}

/**
 * @returns the subscriptions without a job that waits or runs
 * @param db of the whole database
 */
export async function withoutJob(db: QueryExecutorProvider, wakeups: readonly Wakeup[]): Promise<Wakeup[]> {
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker._private_jobs
    where key = any(${wakeups.map(({ webhook_id: id }) => jobKey(id))}::text[])
      and (locked_at is not null or attempts < max_attempts)`.execute(db);
  const known = new Set(rows.map(({ key }) => key));
  return wakeups.filter(({ webhook_id: id }) => !known.has(jobKey(id)));
}
