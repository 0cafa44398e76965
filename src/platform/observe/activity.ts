/**
 * The context of the running code: the request or the job that it works for. It is available in all asynchronous code
 * without being passed on (AsyncLocalStorage), so that log lines, slow statements and queued work can name it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './span.ts';

/** What a request leaves on the work that it causes, in jobs and in rows. */
export interface Origin {
  request_id?: string | undefined;
  /** The place in a trace, as W3C Trace Context writes it; only while traces are kept. */
  traceparent?: string | undefined;
}

export interface Activity {
  /** Of the request that this is, or that caused it. */
  request_id?: string | undefined;
  span?: Span | undefined;
  /** An operation of the contract, or a task of the worker; undefined while that is not known. */
  name(): string | undefined;
}

const activities = new AsyncLocalStorage<Activity>();

export function currentActivity(): Activity | undefined {
  return activities.getStore();
}

/** Whatever `work` does, and starts, belongs to the activity. */
export function inActivity<T>(activity: Activity, work: () => T): T {
  return activities.run(activity, work);
}

/** For a job that somebody goes on with later; undefined when no request caused it. */
export function originNow(): Origin | undefined {
  const { request_id: requestId, span } = activities.getStore() ?? {};
  if (!requestId && !span) return undefined;
  return span ? { request_id: requestId, traceparent: span.traceparent } : { request_id: requestId };
}

/** The same for a column `origin`, in JSON. */
export function originColumn(): string | null {
  const origin = originNow();
  return origin ? JSON.stringify(origin) : null;
}
