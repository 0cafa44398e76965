/**
 * Frees the jobs of dead processes. A job whose process died twice is parked, before it crashes every process; an operator may
 * restart it (`job restart`).
 *
 * Workers send a heartbeat every few seconds; graphile-worker would wait four hours. The database notices a dead process sooner,
 * by the end of its sessions.
 */
import type { Pool } from 'pg';
import { freeJobs, type Queryable, wakeUps } from './free-jobs.ts';

/** Process deaths per job. Jobs that ran beside the cause are counted too. */
const maxDeaths = 2;
/** For jobs that only wake a worker: their work has its own count, and after it fails the job must run once more to end it. */
const maxDeathsOfWakeUps = 2 * maxDeaths;

interface Abandoned {
  workers: number;
  parked: { id: string; task: string }[];
}

/** @param workers of this process, by the ids under which they lock jobs */
export async function sendHeartbeat(db: Queryable, workers: readonly string[], session?: string): Promise<void> {
  if (workers.length === 0) return;
  await db.query(
    `insert into worker_pools (id, seen_at, session) select id, now(), $2::text from unnest($1::text[]) as id order by id
     on conflict (id) do update set seen_at = excluded.seen_at, session = excluded.session`,
    [workers, session],
  );
}

/**
 * Unknown workers are dead as well: the database crashed after their heartbeat, and live ones have sent another.
 * @param session of this process; if it isn't visible itself, no worker is reported
 * @param unknownMs how long an unknown worker must have held its jobs
 */
export async function workersWithoutSession(db: Queryable, session: string, unknownMs: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select distinct jobs.locked_by as id from graphile_worker._private_jobs as jobs
     left join worker_pools on worker_pools.id = jobs.locked_by
     where exists (select from pg_stat_activity where application_name = $1) and jobs.locked_by is not null
       and case when worker_pools.id is null then jobs.locked_at < now() - make_interval(secs => $2::float8 / 1000)
         else session is not null and not exists (select from pg_stat_activity where application_name = session) end`,
    [session, unknownMs],
  );
  return rows.map(({ id }) => id);
}

/** @returns the sessions of all processes with a heartbeat in the last `freshMs`; worker ids for those without a session */
export async function aliveProcesses(db: Queryable, freshMs: number): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    'select distinct coalesce(session, id) as name from worker_pools where seen_at > now() - make_interval(secs => $1::float8 / 1000)',
    [freshMs],
  );
  return rows.map(({ name }) => name);
}

/** @param leaseS how long a worker may go without a heartbeat */
export async function freeAbandonedJobs(pool: Pool, leaseS: number, ended: readonly string[]): Promise<Abandoned> {
  const { rows } = await pool.query<{ worker: string }>(
    `select distinct jobs.locked_by as worker from graphile_worker._private_jobs as jobs
     left join worker_pools on worker_pools.id = jobs.locked_by
     where jobs.locked_by is not null
       and (greatest(worker_pools.seen_at, jobs.locked_at) < now() - make_interval(secs => $1::int)
         or jobs.locked_by = any($2::text[]))`,
    [leaseS, ended],
  );
  const workers = rows.map(({ worker }) => worker);
  if (workers.length === 0) return { workers: 0, parked: [] };
  const client = await pool.connect();
  try {
    await client.query('begin');
    const parked = await free(client, workers);
    await client.query('commit');
    client.release();
    return { workers: workers.length, parked };
  } catch (error) {
    client.release(true); // rolls back
    throw error;
  }
}

async function free(client: Queryable, workers: readonly string[]): Promise<Abandoned['parked']> {
  // `skip locked`: the process that frees a job counts its death.
  const { rows: found } = await client.query<{ id: string; task: string }>(
    `select jobs.id, tasks.identifier as task from graphile_worker._private_jobs as jobs
     join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
     where jobs.locked_by = any($1::text[]) order by jobs.id for update of jobs skip locked`,
    [workers],
  );
  const { rows: counted } = await client.query<{ job_id: string; deaths: number }>(
    `insert into job_deaths as known (job_id, deaths) select id, 1 from unnest($1::bigint[]) as id
     on conflict (job_id) do update set deaths = known.deaths + 1
     returning job_id, deaths`,
    [found.map(({ id }) => id)],
  );
  await freeJobs(client, workers);
  const deathsOf = new Map(counted.map(({ job_id: jobId, deaths }) => [jobId, deaths]));
  const parked: Abandoned['parked'] = [];
  for (const job of found) {
    const deaths = deathsOf.get(job.id)!;
    if (deaths < (wakeUps.includes(job.task) ? maxDeathsOfWakeUps : maxDeaths)) continue;
    const reason = `parked: its process ended ${deaths} times while running it`;
    const { rows } = await client.query('select from graphile_worker.permanently_fail_jobs(array[$1::bigint], $2)', [
      job.id,
      reason,
    ]);
    if (rows.length > 0) parked.push(job);
  }
  return parked;
}
