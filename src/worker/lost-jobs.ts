/**
 * Finds jobs locked for this process without its knowledge, because the connection broke before the response of the fetch. The
 * library would free them after four hours. (After a failed completion the library ends its pool, and all its jobs are freed.)
 */
import type { EventEmitter } from 'node:events';
import { announceJobs, type Queryable, removeReplaced, wakeUps } from './free-jobs.ts';

interface QueueEvents {
  'pool:create': { workerPool: { id: string } };
  'job:start': { job: { id: string } };
  'job:complete': { job: { id: string } };
  'worker:getJob:error': object;
}

interface LostJobsOptions {
  /** Check interval. A job is lost if two consecutive checks find it locked but not running. */
  every_ms: number;
  /** How long to check after the last failed fetch or lost connection: the database may still be executing a fetch. */
  checkForMs: number;
}

export interface LostJobs {
  /** Reports a lost connection. After some errors, the library fetches again without reporting any. */
  connectionLost(): void;
  free(db: Queryable): Promise<string[]>;
}

/** @param events of one worker pool, attached before its creation */
export function watchLostJobs(events: EventEmitter, { every_ms: everyMs, checkForMs }: LostJobsOptions): LostJobs {
  const atWork = new Set<string>();
  let poolId = '';
  let checkUntilMs = Number.NEGATIVE_INFINITY;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let suspects = new Set<string>();
  const on = <E extends keyof QueueEvents>(event: E, listener: (payload: QueueEvents[E]) => void) =>
    events.on(event, listener);
  on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  on('job:start', ({ job }) => atWork.add(job.id));
  on('job:complete', ({ job }) => atWork.delete(job.id));
  const connectionLost = () => {
    checkUntilMs = performance.now() + checkForMs;
  };
  on('worker:getJob:error', connectionLost);
  return {
    connectionLost,
    async free(db) {
      const nowMs = performance.now();
      if (nowMs > checkUntilMs && suspects.size === 0) return [];
      if (nowMs - checkedMs < everyMs) return [];
      checkedMs = nowMs;
      const locked = await lockedBy(db, poolId);
      const unattended = locked.filter((id) => !atWork.has(id));
      const lost = unattended.filter((id) => suspects.has(id));
      suspects = new Set(unattended);
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

/** The attempt isn't counted, because the job never ran. A retired wake-up has no attempts left, and is deleted. */
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
