/** The request or job that the running code works for, by AsyncLocalStorage: for log lines, slow statements, and queued jobs. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './span.ts';

/** The request that caused a job or a row. */
export interface Origin {
  request_id?: string | undefined;
  /** W3C Trace Context; only if tracing is enabled. */
  traceparent?: string | undefined;
}

export interface Activity {
  /** The id of this request, or of the one that caused this job. */
  request_id?: string | undefined;
  span?: Span | undefined;
  /** An operation of the contract, or a task of the worker; undefined until it is known. */
  name(): string | undefined;
}

const activities = new AsyncLocalStorage<Activity>();

export function currentActivity(): Activity | undefined {
  return activities.getStore();
}

/** Runs `work`, and everything it starts, in the activity. */
export function inActivity<T>(activity: Activity, work: () => T): T {
  return activities.run(activity, work);
}

/** The origin to store with a job; undefined if no request caused it. */
export function originNow(): Origin | undefined {
  const { request_id: requestId, span } = activities.getStore() ?? {};
  if (!requestId && !span) return undefined;
  return span ? { request_id: requestId, traceparent: span.traceparent } : { request_id: requestId };
}

/** The origin as JSON, for an `origin` column. */
export function originColumn(): string | null {
  const origin = originNow();
  return origin ? JSON.stringify(origin) : null;
}
