/** Delivery filters in the URL. Empty filters are omitted. */
import type { DeliveryStatus, Filters } from '../../api/webhooks.ts';

export const statuses: readonly DeliveryStatus[] = ['pending', 'delivering', 'succeeded', 'failed', 'cancelled'];

export function readFilters(search: Record<string, unknown>): Filters {
  const { status, event, since, until } = search;
  return {
    ...(statuses.includes(status as DeliveryStatus) && { status: status as DeliveryStatus }),
    ...(typeof event === 'string' && event !== '' && { event }),
    ...(isMoment(since) && { since }),
    ...(isMoment(until) && { until }),
  };
}

function isMoment(text: unknown): text is string {
  return typeof text === 'string' && !Number.isNaN(Date.parse(text));
}
