/**
 * Metrics of the work waiting in the database: jobs, events, deliveries, imports, and exports of all companies. Two statements
 * read it on a dedicated connection, at most once every few seconds.
 *
 * Every process reports the same values, so that any running process suffices: aggregate processes by maximum, not sum.
 */
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { openPool } from '../connection/pool.ts';
import { sessionTo } from '../connection/session.ts';
import { newerFlags, taskNames } from '../queue/job-versions.ts';
import type { Machines } from '../schema/machines.ts';
import { type FailingWebhook, failingWebhooks, observeFailingWebhooks } from './failing-webhooks.ts';

const freshMs = 5_000;
/** Limits the load: the database spends at most 1/20 of its time on one process's metrics, however slow they are. */
const restFactor = 20;
const timeoutMs = 2_000;
/** Beyond this, the exact number doesn't matter. */
const maxCounted = 100_000;

interface Waiting {
  count: number;
  oldest_age_s: number;
}

interface WorkCounts {
  waiting: number;
  running: number;
  oldest_age_s: number;
}

interface Backlog {
  writable: boolean;
  jobs: (Waiting & {
    task: string;
    running: number;
    given_up: number;
    failing: number;
    parked: number;
    newer: number;
  })[];
  lock_waits: number;
  directories: { failing: number; oldest_success_s: number };
  // Figures of company data are missing while a machine of a cluster is lost.
  events?: Waiting;
  deliveries?: Waiting;
  imports?: WorkCounts;
  exports?: WorkCounts;
  failing?: FailingWebhook[];
  /** Today's mails of the company with the most. */
  mails_most?: number;
}

interface BacklogMeter {
  /** @returns undefined if the database doesn't respond in time */
  read(): Promise<Backlog | undefined>;
  close(): Promise<void>;
}

interface BacklogOptions {
  machines?: Machines;
  /** Whether this process's writes find disk space. Default: true. */
  hasSpace?: () => boolean;
  /** The highest count of each kind on a single Postgres; on a cluster, shards count everything. */
  most?: number;
  /** How many failing subscriptions are named. Default: none. */
  failing?: number;
}

/** Connects on first use. */
export function measureBacklog(registry: Registry, url: string, options: BacklogOptions = {}): BacklogMeter {
  const { machines, hasSpace = () => true } = options;
  const timeouts = { connectionTimeoutMillis: timeoutMs, socketTimeout: { limitMs: timeoutMs } };
  const config = sessionTo(url, { max: 1, application_name: 'collaborator-api-metrics', ...timeouts });
  const pool = openPool(config, () => {}); // the next query gets the error
  let nextQueryMs = Number.NEGATIVE_INFINITY;
  let latest: Promise<Backlog | undefined> = Promise.resolve(undefined);
  const read = () => {
    const startedMs = performance.now();
    if (startedMs < nextQueryMs) return latest;
    nextQueryMs = startedMs + freshMs;
    latest = queryBacklog(pool, options);
    void latest.then((found) => {
      const tookMs = performance.now() - startedMs;
      if (found) nextQueryMs = startedMs + Math.max(freshMs, restFactor * tookMs); // after a failure, retry soon
    });
    return latest;
  };
  observeFailingWebhooks(registry, async () => (await read())?.failing);
  registerGauges(registry, read, { lostMachines: async () => (await machines?.recheck()) ?? 0, hasSpace });
  return { read, close: () => pool.end() };
}

/** Figures on a cluster's coordinator, and figures of company data, which are missing while a machine is lost. */
async function queryBacklog(pool: pg.Pool, options: BacklogOptions): Promise<Backlog | undefined> {
  const { machines, most = maxCounted, failing = 0 } = options;
  const queryFigures = (figures: string[], parameters: unknown[] = []) =>
    pool
      .query<{ backlog: Backlog }>(`select json_build_object(${figures.join(', ')}) as backlog`, parameters)
      .then(({ rows }) => rows[0]!.backlog);
  try {
    const backlog = await queryFigures(coordinatorFigures, [newerFlags, taskNames]);
    if (machines && machines.lost() > 0) return backlog;
    const ofCompanies = await queryFigures(companyFigures(machines?.is_cluster ? undefined : most)).catch(
      () => undefined,
    );
    const maxFailing = await failingWebhooks(pool, failing);
    return { ...backlog, ...ofCompanies, ...(maxFailing && { failing: maxFailing }) };
  } catch {
    return undefined;
  }
}

function registerGauges(
  registry: Registry,
  read: () => Promise<Backlog | undefined>,
  { lostMachines, hasSpace }: { lostMachines: () => Promise<number>; hasSpace: () => boolean },
): void {
  const gauge = (name: string, help: string, of: (backlog: Backlog) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const backlog = await read();
        const value = backlog && of(backlog);
        if (value === undefined)
          this.remove(); // unknown: neither zero nor the last value
        else this.set(value);
      },
    });
  const byLabel = (name: string, help: string, label: string, of: (backlog: Backlog) => Record<string, number>) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const backlog = await read();
        this.reset();
        for (const [value, count] of Object.entries(backlog ? of(backlog) : {})) this.set({ [label]: value }, count);
      },
    });
  const byTask = (name: string, help: string, of: (jobs: Backlog['jobs'][number]) => number) =>
    byLabel(name, help, 'task', ({ jobs }) => Object.fromEntries(jobs.map((job) => [job.task, of(job)])));

  new Gauge({
    name: 'database_up',
    help: 'Whether the backlog could be read; if 0, its other metrics are missing.',
    registers: [registry],
    async collect() {
      this.set((await read()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'database_machines_lost',
    help: 'Unresponsive nodes of a Citus cluster; their companies get 503.',
    registers: [registry],
    async collect() {
      this.set(await lostMachines());
    },
  });
  gauge(
    'database_writable',
    'Whether the database accepts writes; 0 for a standby or a full disk, from the first failed write of this process until one succeeds.',
    ({ writable }) => Number(writable && hasSpace()),
  );
  gauge(
    'database_lock_waits',
    'Sessions of this database waiting for a lock.',
    ({ lock_waits: lockWaits }) => lockWaits,
  );
  byTask('jobs_waiting', 'Due jobs that no worker has started, by task.', ({ count }) => count);
  byTask('jobs_oldest_due_age_seconds', 'How long the oldest due job has waited.', (job) => job.oldest_age_s);
  byTask('jobs_running', 'Running jobs.', ({ running }) => running);
  byTask('jobs_failing', 'Failed jobs that will be retried.', ({ failing }) => failing);
  byTask('jobs_given_up', 'Jobs that failed too often to be retried.', ({ given_up: givenUp }) => givenUp);
  byTask('jobs_for_newer_version', 'Jobs of a newer version, which this version leaves alone.', ({ newer }) => newer);
  byTask('jobs_parked', 'Parked jobs that repeatedly ended their process.', ({ parked }) => parked);
  gauge('events_waiting', 'Events not dispatched yet.', ({ events }) => events?.count);
  gauge(
    'events_oldest_age_seconds',
    'How long the oldest undispatched event has waited.',
    ({ events }) => events?.oldest_age_s,
  );
  gauge('webhook_queue_depth', 'Due deliveries waiting for their attempt.', ({ deliveries }) => deliveries?.count);
  gauge(
    'webhook_queue_oldest_due_age_seconds',
    'How long the oldest due delivery has waited.',
    ({ deliveries }) => deliveries?.oldest_age_s,
  );
  gauge('directories_failing', 'Directories whose changes are all rejected.', ({ directories }) => directories.failing);
  gauge(
    'directory_last_success_age_seconds',
    'Longest time since a failing directory last succeeded.',
    ({ directories }) => directories.oldest_success_s,
  );
  byLabel('imports_open', 'Unfinished imports: waiting, running.', 'state', ({ imports }) => open(imports));
  gauge('imports_oldest_age_seconds', 'Age of the oldest unfinished import.', ({ imports }) => imports?.oldest_age_s);
  gauge(
    'company_mails_today_max',
    'Emails today of the company with the most.',
    ({ mails_most: mailsMost }) => mailsMost,
  );
  byLabel('exports_open', 'Unfinished exports: waiting, running.', 'state', ({ exports }) => open(exports));
  gauge('exports_oldest_age_seconds', 'Age of the oldest unfinished export.', ({ exports }) => exports?.oldest_age_s);
}

function open(work: Backlog['imports']): Record<string, number> {
  return work ? { waiting: work.waiting, running: work.running } : {};
}

const age = (since: string) => `coalesce(extract(epoch from now() - min(${since})), 0)::float8`;
const running = `due_at > now() and attempts > 0 and status <> 'queued'`;

const coordinatorFigures = [
  `'writable', current_setting('transaction_read_only') = 'off'`,
  `'jobs', (
      select coalesce(json_agg(by_task), '[]') from (
        select task_identifier as task,
          count(*) filter (where ready) as count,
          coalesce(extract(epoch from now() - min(run_at) filter (where ready)), 0)::float8 as oldest_age_s,
          count(*) filter (where locked_at is not null) as running,
          count(*) filter (where attempts >= max_attempts and locked_at is null) as given_up,
          count(*) filter (where attempts >= max_attempts and locked_at is null and last_error like 'parked:%') as parked,
          count(*) filter (where last_error is not null and attempts < max_attempts and locked_at is null) as failing,
          count(*) filter (where is_newer and attempts < max_attempts and locked_at is null) as newer
        from (
          select task_identifier, run_at, locked_at, attempts, max_attempts, last_error, is_newer,
            run_at <= now() and locked_at is null and attempts < max_attempts and not is_newer as ready
          from graphile_worker.jobs,
            lateral (select coalesce(flags ?| $1::text[], false) or task_identifier <> all($2::text[]) as is_newer) as version
        ) as job
        group by task_identifier
      ) as by_task
    )`,
  `'directories', (
      select json_build_object('failing', count(*), 'oldest_success_s', ${age('coalesce(last_success_at, created_at)')})
      from directories where failing_since is not null
    )`,
  `'lock_waits', (
      select count(distinct pid) from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()
    )`,
];

const waitingEvents = 'events where sequence is null';
/** As in the index `deliveries_overdue`. Only pending deliveries, and those being delivered, have a time. */
const dueInUtc = "due_at at time zone 'UTC'";
const dueDeliveries = `deliveries where status <> 'delivering' and ${dueInUtc} <= now() at time zone 'UTC'`;

/** @param most undefined on a cluster, where a limit would make every shard send its rows instead of a count */
const companyFigures = (most: number | undefined) => [
  `'events', (
      select json_build_object('count', count(*), 'oldest_age_s', ${age('created_at')})
      from ${most ? `(select created_at from ${waitingEvents} limit ${most}) as first` : waitingEvents}
    )`,
  `'deliveries', (
      select json_build_object('count', count(*), 'oldest_age_s', ${age('due_at')})
      from ${most ? `(select due_at from ${dueDeliveries} order by ${dueInUtc} limit ${most}) as first` : dueDeliveries}
    )`,
  `'imports', (
      select json_build_object(
        'waiting', count(*) filter (where not (${running})), 'running', count(*) filter (where ${running}),
        'oldest_age_s', ${age('coalesce(committed_at, created_at)')}
      ) from imports where due_at is not null
    )`,
  `'exports', (
      select json_build_object(
        'waiting', count(*) filter (where not (${running})), 'running', count(*) filter (where ${running}),
        'oldest_age_s', ${age('created_at')}
      ) from exports where due_at is not null
    )`,
  `'mails_most', (
      select coalesce(max(mails), 0) from mail_counts where day = (now() at time zone 'utc')::date
    )`,
];
