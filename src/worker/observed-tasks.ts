/** Tasks with metrics, traces, and a log line for each job. */
import type { Task, TaskList } from 'graphile-worker';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Origin } from '../platform/observe/activity.ts';
import type { Logger } from '../platform/observe/log.ts';
import { redactAddresses } from '../platform/observe/logged-error.ts';
import { resume } from '../platform/observe/resume-trace.ts';
import type { Tracer } from '../platform/observe/span.ts';
import { requireKnownVersion } from '../platform/queue/job-versions.ts';

const seconds = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120];

interface ObserveJobsOptions {
  registry: Registry;
  tracer: Tracer | undefined;
  log: Logger;
}

/** Wraps the tasks. Failures are logged and counted, and still fail the job. */
export function observed(tasks: TaskList, { registry, tracer, log }: ObserveJobsOptions): TaskList {
  const duration = new Histogram({
    name: 'job_duration_seconds',
    help: 'Duration of jobs, by task and result.',
    labelNames: ['task', 'outcome'],
    buckets: seconds,
    registers: [registry],
  });
  const failures = new Counter({
    name: 'job_failures_total',
    help: 'Failed attempts of jobs.',
    labelNames: ['task'],
    registers: [registry],
  });
  for (const task of Object.keys(tasks)) failures.inc({ task }, 0); // start at zero, so that the first failure is an increase
  const watched = (task: string, run: Task): Task => {
    return async (payload, helpers) => {
      const { origin } = (payload ?? {}) as { origin?: Origin };
      const startedMs = performance.now();
      const elapsedMs = () => Math.round(performance.now() - startedMs);
      // Jobs without a request, mostly wake-ups, would only add noise to traces.
      const traced = origin?.traceparent ? tracer : undefined;
      const attributes = { 'job.id': helpers.job?.id, 'job.attempt': helpers.job?.attempts };
      await resume(traced, { name: task, origin, attributes }, async () => {
        try {
          requireKnownVersion(payload);
          await run(payload, helpers);
          duration.observe({ task, outcome: 'succeeded' }, (performance.now() - startedMs) / 1_000);
          log[origin ? 'info' : 'debug']({ task, duration_ms: elapsedMs() }, 'job done');
        } catch (error) {
          duration.observe({ task, outcome: 'failed' }, (performance.now() - startedMs) / 1_000);
          failures.inc({ task });
          log.warn({ err: error, task, duration_ms: elapsedMs(), attempt: helpers.job?.attempts }, 'job failed');
          throw redactAddresses(error); // the queue stores its message
        }
      });
    };
  };
  return Object.fromEntries(Object.entries(tasks).map(([name, run]) => [name, watched(name, run as Task)]));
}
