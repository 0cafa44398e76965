/**
 * Jobs whose process is gone. They run again in another process; but a job that has taken two processes with it is parked,
 * before it takes all of them: somebody has to look at it, and may start it again (`job restart`).
 *
 * A worker that lives says so every few seconds, however long its jobs take. The queue's library would wait four hours. One whose
 * process has ended is known sooner: the database notices the end of its sessions in the same moment.
 */
import type { Pool } from 'pg';
import { freeJobs, type Queryable, wakeUps } from './free.ts';

/** How often a process may end while it runs the same job. What ran beside the one that did it counts as well. */
const mostDeaths = 2;
/**
 * The same for jobs that only wake. The work stands in tables, is counted there, and is given up by itself after two deaths;
 * then the job has to run once more, so that the work has its end, and what waits behind it its turn.
 */
const mostDeathsOfWakeUps = 2 * mostDeaths;

interface Abandoned {
  /** Workers whose jobs were freed. */
  workers: number;
  parked: { id: string; task: string }[];
}

/**
 * @param workers those of this process, by the names under which they lock jobs
 * @param session the name of a session of this process; undefined where it has none of its own
 */
export async function noteAlive(db: Queryable, workers: readonly string[], session?: string): Promise<void> {
  if (workers.length === 0) return;
  await db.query(
    `insert into worker_pools (id, seen_at, session) select id, now(), $2::text from unnest($1::text[]) as id order by id
     on conflict (id) do update set seen_at = excluded.seen_at, session = excluded.session`,
    [workers, session],
  );
}

/**
 * Workers that hold jobs and whose process has no session any more: it has ended, or has lost its connection this moment. One that
 * nobody knows has ended as well: the database has crashed since it was noted, and those that live have been noted again.
 * @param session of this process: where it is not to be seen itself, nobody is
 * @param unknownMs how long such a worker has its jobs already
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

/** @returns the sessions of all processes whose workers have given a sign of life in the last `freshMs`; ids of those without one */
export async function aliveProcesses(db: Queryable, freshMs: number): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    'select distinct coalesce(session, id) as name from worker_pools where seen_at > now() - make_interval(secs => $1::float8 / 1000)',
    [freshMs],
  );
  return rows.map(({ name }) => name);
}

/**
 * @param leaseS how long a worker may give no sign of life
 * @param ended workers whose process has ended
 */
export async function freeAbandonedJobs(pool: Pool, leaseS: number, ended: readonly string[]): Promise<Abandoned> {
  const { rows } = await pool.query<{ worker: string }>(
    `select distinct jobs.locked_by as worker from graphile_worker._private_jobs as jobs
     left join worker_pools on worker_pools.id = jobs.locked_by
     where greatest(worker_pools.seen_at, jobs.locked_at) < now() - make_interval(secs => $1::int)
       or jobs.locked_by = any($2::text[])`,
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
    client.release(true); // which rolls back
    throw error;
  }
}

async function free(client: Queryable, workers: readonly string[]): Promise<Abandoned['parked']> {
  // What another process frees at this moment it counts, too.
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
    if (deaths < (wakeUps.includes(job.task) ? mostDeathsOfWakeUps : mostDeaths)) continue;
    const reason = `parked: its process ended ${deaths} times while it ran`;
    const { rows } = await client.query('select from graphile_worker.permanently_fail_jobs(array[$1::bigint], $2)', [
      job.id,
      reason,
    ]);
    if (rows.length > 0) parked.push(job);
  }
  return parked;
}
