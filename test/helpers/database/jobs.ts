import type { TestApp } from '../app.ts';

/** Removes the queued jobs of a task. @returns their payloads */
export async function drainJobs<P>({ database }: TestApp, task: string): Promise<P[]> {
  const jobs = await database.query<{ payload: P }>(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = $1 returning j.payload`,
    [task],
  );
  return jobs.map(({ payload }) => payload);
}
