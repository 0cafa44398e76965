/** Delivery totals by hour. */
import type { DeliveryHour } from '../../api/attention.ts';

export interface Counts {
  all: number;
  waiting: number;
  succeeded: number;
  failed: number;
  cancelled: number;
}

export function sumOf(hours: readonly DeliveryHour[]): Counts {
  const sum = { all: 0, waiting: 0, succeeded: 0, failed: 0, cancelled: 0 };
  for (const { waiting, succeeded, failed, cancelled } of hours) {
    sum.waiting += waiting;
    sum.succeeded += succeeded;
    sum.failed += failed;
    sum.cancelled += cancelled;
    sum.all += waiting + succeeded + failed + cancelled;
  }
  return sum;
}

/** Groups hours by day in the browser's time zone, earliest day first. */
export function byDay(hours: readonly DeliveryHour[]): DeliveryHour[][] {
  return [...Map.groupBy(hours, ({ hour }) => new Date(hour).toDateString()).values()];
}
