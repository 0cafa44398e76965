/** Metrics and logs of every job. */
import { Writable } from 'node:stream';
import type { JobHelpers, Task } from 'graphile-worker';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { currentActivity, originNow } from '../../src/platform/observe/activity.ts';
import { observed } from '../../src/worker/observed-tasks.ts';

test('a job has its request id while it runs, its end is counted and logged, and a failure is rethrown', async () => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: unknown, _encoding: unknown, done: () => void) => {
    lines.push(JSON.parse(String(line)));
    done();
  };
  const registry = new Registry();
  const recorded: unknown[] = [];
  const failure = new Error('no luck');
  const tasks = observed(
    {
      good: () => void recorded.push(currentActivity()?.name(), originNow()),
      bad: () => {
        throw failure;
      },
    },
    { registry, tracer: undefined, log: pino(new Writable({ write })) },
  );
  const run = async (task: string, payload: unknown) =>
    (tasks[task] as Task)(payload, { job: { id: '7', attempts: 2 } } as unknown as JobHelpers);

  await run('good', { origin: { request_id: 'r-1' } });
  await run('good', null);
  expect(recorded).toEqual(['good', { request_id: 'r-1' }, 'good', undefined]);
  expect(currentActivity()).toBeUndefined();
  await expect(run('bad', {})).rejects.toEqual(failure);
  expect(lines).toMatchObject([
    { msg: 'job done', task: 'good' }, // caused by no request: debug level only
    { msg: 'job failed', task: 'bad', attempt: 2, level: 40 },
  ]);
  const text = await registry.metrics();
  expect(text).toContain('job_duration_seconds_count{task="good",outcome="succeeded"} 2\n');
  expect(text).toContain('job_duration_seconds_count{task="bad",outcome="failed"} 1\n');
  expect(text).toContain('job_failures_total{task="bad"} 1\n');
});
