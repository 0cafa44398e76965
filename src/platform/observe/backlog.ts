/**
 * Metrics of work that waits in the database: jobs, events, deliveries, imports and exports of all companies together.
 * Two statements read all of it, on their own connection, at most once in some seconds: one for the tables of companies, which
 * may be spread over machines, and one for what is on the coordinator of such a cluster.
 *
 * Every process reports the same values, so that they are available while any process runs: use the maximum of several
 * processes, not the sum.
 */
import pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { sessionTo } from '../connection/session.ts';
import { newer_flags, task_names } from '../queue/job-versions.ts';

const fresh_ms = 5_000;
const timeout_ms = 2_000;

interface Waiting {
  count: number;
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
  outbox: Waiting;
  deliveries: Waiting;
  imports: { waiting: number; running: number; oldest_age_s: number };
  exports: { waiting: number; running: number; oldest_age_s: number };
  /** Of the company with most of them, today. */
  mails_most: number;
  lock_waits: number;
}

interface BacklogMeter {
  /** @returns undefined when the database does not answer in time */
  read(): Promise<Backlog | undefined>;
  close(): Promise<void>;
}

/** Connects when it is first asked. */
export function measureBacklog(registry: Registry, url: string): BacklogMeter {
  const timeouts = { connectionTimeoutMillis: timeout_ms, query_timeout: timeout_ms };
  const pool = new pg.Pool(sessionTo(url, { max: 1, application_name: 'collaborator-api-metrics', ...timeouts }));
  pool.on('error', () => {}); // the next query gets the error
  pool.on('connect', (client) => client.on('error', () => {}));
  let asked_ms = Number.NEGATIVE_INFINITY;
  let answer: Promise<Backlog | undefined> = Promise.resolve(undefined);
  const read = () => {
    if (performance.now() - asked_ms > fresh_ms) {
      asked_ms = performance.now();
      const of = (statement: string, parameters: unknown[] = []) =>
        pool.query<{ backlog: Partial<Backlog> }>(statement, parameters);
      answer = Promise.all([of(of_coordinator, [newer_flags, task_names]), of(of_companies)]).then(
        (answers) => Object.assign({}, ...answers.map(({ rows }) => rows[0]!.backlog)),
        () => undefined,
      );
    }
    return answer;
  };
  registerGauges(registry, read);
  return { read, close: () => pool.end() };
}

function registerGauges(registry: Registry, read: BacklogMeter['read']): void {
  const gauge = (name: string, help: string, of: (backlog: Backlog) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const backlog = await read();
        if (backlog) this.set(of(backlog));
        else this.remove(); // not known: neither zero nor what it was
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
    help: 'Whether the database answered the question for what follows; 0: the other figures of this kind are missing.',
    registers: [registry],
    async collect() {
      this.set((await read()) ? 1 : 0);
    },
  });
  gauge('database_writable', 'Whether the database takes changes: a standby does not.', ({ writable }) =>
    Number(writable),
  );
  gauge('database_lock_waits', 'Sessions of this database that wait for a lock.', ({ lock_waits }) => lock_waits);
  byTask('jobs_waiting', 'Jobs that are due and that no worker has begun, by task.', ({ count }) => count);
  byTask('jobs_oldest_due_age_seconds', 'How long the job that waits longest has been due.', (job) => job.oldest_age_s);
  byTask('jobs_running', 'Jobs that a worker is at.', ({ running }) => running);
  byTask('jobs_failing', 'Jobs whose last attempt failed, and that are tried again.', ({ failing }) => failing);
  byTask('jobs_given_up', 'Jobs that failed too often to be tried again.', ({ given_up }) => given_up);
  byTask(
    'jobs_for_newer_version',
    'Jobs that this version can not do, and leaves to a newer one.',
    ({ newer }) => newer,
  );
  byTask('jobs_parked', 'Those of them that ended their process again and again.', ({ parked }) => parked);
  gauge('outbox_depth', 'Transactions whose events are not dispatched yet.', ({ outbox }) => outbox.count);
  gauge('outbox_oldest_age_seconds', 'How long the oldest of them waits.', ({ outbox }) => outbox.oldest_age_s);
  gauge(
    'webhook_queue_depth',
    'Deliveries that are due and wait for their attempt.',
    ({ deliveries }) => deliveries.count,
  );
  gauge(
    'webhook_queue_oldest_due_age_seconds',
    'How long the delivery that waits longest has been due.',
    ({ deliveries }) => deliveries.oldest_age_s,
  );
  byLabel('imports_open', 'Imports that have not ended: waiting, running.', 'state', ({ imports }) => open(imports));
  gauge(
    'imports_oldest_age_seconds',
    'How long ago the oldest of them was started.',
    ({ imports }) => imports.oldest_age_s,
  );
  gauge(
    'company_mails_today_max',
    'Mails of the company that caused most of them today.',
    ({ mails_most }) => mails_most,
  );
  byLabel('exports_open', 'Exports that have not ended: waiting, running.', 'state', ({ exports }) => open(exports));
  gauge(
    'exports_oldest_age_seconds',
    'How long ago the oldest of them was asked for.',
    ({ exports }) => exports.oldest_age_s,
  );
}

function open({ waiting, running }: { waiting: number; running: number }) {
  return { waiting, running };
}

const age = (since: string) => `coalesce(extract(epoch from now() - min(${since})), 0)::float8`;
const running = `due_at > now() and attempts > 0 and status <> 'queued'`;

const of_coordinator = `
  select json_build_object(
    'writable', current_setting('transaction_read_only') = 'off',
    'jobs', (
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
    ),
    'lock_waits', (
      select count(distinct pid) from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()
    )
  ) as backlog`;

const of_companies = `
  select json_build_object(
    'outbox', (select json_build_object('count', count(*), 'oldest_age_s', ${age('created_at')}) from outbox),
    'deliveries', (
      select json_build_object('count', count(*), 'oldest_age_s', ${age('due_at')})
      from deliveries where status in ('pending', 'delivering') and due_at <= now()
    ),
    'imports', (
      select json_build_object(
        'waiting', count(*) filter (where not (${running})), 'running', count(*) filter (where ${running}),
        'oldest_age_s', ${age('coalesce(committed_at, created_at)')}
      ) from imports where due_at is not null
    ),
    'exports', (
      select json_build_object(
        'waiting', count(*) filter (where not (${running})), 'running', count(*) filter (where ${running}),
        'oldest_age_s', ${age('created_at')}
      ) from exports where due_at is not null
    ),
    'mails_most', (
      select coalesce(max(mails), 0) from mail_counts where day = (now() at time zone 'utc')::date
    )
  ) as backlog`;
