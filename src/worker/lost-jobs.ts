/**
 * Jobs that this process was given without hearing of it. The queue locks a job and tells so in its answer; when the connection
 * is lost in between, the job is locked by a worker that lives and is not at it. The library would free it after four hours.
 *
 * What a worker could not complete is another matter: then the library ends its pool, and all jobs of that are freed.
 */
import type { EventEmitter } from 'node:events';
import { type Queryable, removeReplaced, wake_ups } from './free.ts';

/** What this hears of the library's events: which jobs are begun and ended here, and that a question had no answer. */
interface QueueEvents {
  'pool:create': { workerPool: { id: string } };
  'job:start': { job: { id: string } };
  'job:complete': { job: { id: string } };
  'worker:getJob:error': object;
}

interface LostJobsOptions {
  /** How often it looks. A job is lost when two looks in a row find it locked, and nobody at it. */
  every_ms: number;
  /** How long it looks after the last lost answer; the database may still be at the question. */
  look_for_ms: number;
}

export interface LostJobs {
  /** Looks if it is time to. @returns ids of the jobs that were freed */
  free(db: Queryable): Promise<string[]>;
}

/** @param events of one pool of workers, from before it is made */
export function watchLostJobs(events: EventEmitter, { every_ms, look_for_ms }: LostJobsOptions): LostJobs {
  const at_work = new Set<string>();
  let pool_id = '';
  let look_until_ms = Number.NEGATIVE_INFINITY;
  let looked_ms = Number.NEGATIVE_INFINITY;
  let suspects = new Set<string>();
  const on = <E extends keyof QueueEvents>(event: E, listener: (heard: QueueEvents[E]) => void) =>
    events.on(event, listener);
  on('pool:create', ({ workerPool }) => {
    pool_id = workerPool.id;
  });
  on('job:start', ({ job }) => at_work.add(job.id));
  on('job:complete', ({ job }) => at_work.delete(job.id));
  on('worker:getJob:error', () => {
    look_until_ms = performance.now() + look_for_ms;
  });
  return {
    async free(db) {
      const now_ms = performance.now();
      if (now_ms > look_until_ms && suspects.size === 0) return [];
      if (now_ms - looked_ms < every_ms) return [];
      looked_ms = now_ms;
      const locked = await lockedBy(db, pool_id);
      const nobody_at = locked.filter((id) => !at_work.has(id));
      const lost = nobody_at.filter((id) => suspects.has(id));
      suspects = new Set(nobody_at);
      if (lost.length > 0) await unlock(db, pool_id, lost);
      return lost;
    },
  };
}

async function lockedBy(db: Queryable, pool_id: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from graphile_worker._private_jobs where locked_by = $1::text',
    [pool_id],
  );
  return rows.map(({ id }) => id);
}

/** They were not tried, so that is not counted; but a wake-up that was replaced meanwhile has no attempts left, and goes. */
async function unlock(db: Queryable, pool_id: string, ids: readonly string[]): Promise<void> {
  await db.query(
    `update graphile_worker._private_jobs as jobs
     set locked_by = null, locked_at = null, updated_at = now(),
       attempts = case when tasks.identifier = any($3::text[]) then attempts else greatest(attempts - 1, 0) end
     from graphile_worker._private_tasks as tasks
     where tasks.id = jobs.task_id and jobs.id = any($1::bigint[]) and jobs.locked_by = $2::text`,
    [ids, pool_id, wake_ups],
  );
  await removeReplaced(db);
}
