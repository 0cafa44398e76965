/**
 * Jobs that this process was given without hearing of it. The queue locks a job and tells so in its answer; when the connection
 * is lost in between, the job is locked by a worker that lives and is not at it. The library would free it after four hours.
 *
 * What a worker could not complete is another matter: then the library ends its pool, and all jobs of that are freed.
 */
import type { EventEmitter } from 'node:events';
import { announceJobs, type Queryable, removeReplaced, wakeUps } from './free.ts';

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
  lookForMs: number;
}

export interface LostJobs {
  /** Looks if it is time to. @returns ids of the jobs that were freed */
  free(db: Queryable): Promise<string[]>;
}

/** @param events of one pool of workers, from before it is made */
export function watchLostJobs(events: EventEmitter, { every_ms: everyMs, lookForMs }: LostJobsOptions): LostJobs {
  const atWork = new Set<string>();
  let poolId = '';
  let lookUntilMs = Number.NEGATIVE_INFINITY;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let suspects = new Set<string>();
  const on = <E extends keyof QueueEvents>(event: E, listener: (heard: QueueEvents[E]) => void) =>
    events.on(event, listener);
  on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  on('job:start', ({ job }) => atWork.add(job.id));
  on('job:complete', ({ job }) => atWork.delete(job.id));
  on('worker:getJob:error', () => {
    lookUntilMs = performance.now() + lookForMs;
  });
  return {
    async free(db) {
      const nowMs = performance.now();
      if (nowMs > lookUntilMs && suspects.size === 0) return [];
      if (nowMs - lookedMs < everyMs) return [];
      lookedMs = nowMs;
      const locked = await lockedBy(db, poolId);
      const nobodyAt = locked.filter((id) => !atWork.has(id));
      const lost = nobodyAt.filter((id) => suspects.has(id));
      suspects = new Set(nobodyAt);
      if (lost.length > 0) await unlock(db, poolId, lost);
      return lost;
    },
  };
}

async function lockedBy(db: Queryable, poolId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from graphile_worker._private_jobs where locked_by = $1::text',
    [poolId],
  );
  return rows.map(({ id }) => id);
}

/** They were not tried, so that is not counted; but a wake-up that was replaced meanwhile has no attempts left, and goes. */
async function unlock(db: Queryable, poolId: string, ids: readonly string[]): Promise<void> {
  await db.query(
    `update graphile_worker._private_jobs as jobs
     set locked_by = null, locked_at = null, updated_at = now(),
       attempts = case when tasks.identifier = any($3::text[]) then attempts else greatest(attempts - 1, 0) end
     from graphile_worker._private_tasks as tasks
     where tasks.id = jobs.task_id and jobs.id = any($1::bigint[]) and jobs.locked_by = $2::text`,
    [ids, poolId, wakeUps],
  );
  await removeReplaced(db);
  await announceJobs(db, ids.length);
}
