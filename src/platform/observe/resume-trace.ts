/** Runs a job in the context of the request that caused it: log lines have its id, and its trace continues. */
import { type Activity, inActivity, type Origin } from './activity.ts';
import type { Attributes, Tracer } from './span.ts';

interface Resumed {
  name: string;
  /** As stored with the job or row. */
  origin: Origin | null | undefined;
  attributes: Attributes;
}

/** @param tracer undefined without tracing @param work its failure is recorded on the span too */
export async function resume<T>(
  tracer: Tracer | undefined,
  { name, origin, attributes }: Resumed,
  work: () => T | Promise<T>,
): Promise<T> {
  const requestId = origin?.request_id;
  const span = tracer?.begin(name, 'consumer', origin?.traceparent, { ...attributes, 'request.id': requestId });
  const activity: Activity = { request_id: requestId, span, name: () => name };
  try {
    const result = await inActivity(activity, async () => work());
    span?.end();
    return result;
  } catch (error) {
    span?.end({}, error ?? new Error('failed'));
    throw error;
  }
}
