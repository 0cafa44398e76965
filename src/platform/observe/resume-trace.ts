/** Continues the context of an earlier request: its id is in all log lines, and its trace goes on. */
import { type Activity, inActivity, type Origin } from './activity.ts';
import type { Attributes, Tracer } from './span.ts';

interface Resumed {
  /** A task of the worker. */
  name: string;
  /** As a job or a row has kept it. */
  origin: Origin | null | undefined;
  attributes: Attributes;
}

/**
 * @param tracer undefined where no traces are kept
 * @param work its failure is recorded on the span as well
 */
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
