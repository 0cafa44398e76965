/**
 * Deliveries per hour, counted on request: a stored counter would cost a write per attempt, under a lock that all turns of a
 * company wait for. Only the newest deliveries are counted, to bound the cost.
 */
import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';

type Counts = components['schemas']['DeliveryCounts'];
type Outcome = 'waiting' | 'succeeded' | 'failed' | 'cancelled';

const maxCounted = 50_000;
const hourMs = 3_600_000;

const outcomes: Record<string, Outcome> = {
  pending: 'waiting',
  delivering: 'waiting',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** @param hours ending with the hour of `now` */
export async function countedDeliveries(
  tenant: Tenant,
  hours: number,
  now: Date,
  maxDeliveries = maxCounted,
): Promise<Counts> {
  const lastMs = Math.floor(now.getTime() / hourMs) * hourMs;
  const firstMs = lastMs - (hours - 1) * hourMs;
  const newest = tenant
    .selectFrom('deliveries')
    .select(['created_at', 'status'])
    .where('created_at', '>=', new Date(firstMs).toISOString())
    .orderBy('created_at', 'desc')
    .limit(sql.lit(maxDeliveries + 1));
  const rows = await tenant.raw
    .selectFrom(newest.as('newest'))
    .select([
      sql<number>`floor(extract(epoch from created_at) / 3600)::integer`.as('hour'),
      'status',
      (eb) => eb.fn.countAll<number>().as('count'),
    ])
    .groupBy(['hour', 'status'])
    .execute();
  const counted = rows.reduce((all, { count }) => all + Number(count), 0);
  const isComplete = counted <= maxDeliveries;
  const earliestMs = Math.min(...rows.map(({ hour }) => hour * hourMs));
  // The earliest hour found may be incomplete and is dropped; the current hour is always returned.
  const fromMs = isComplete ? firstMs : Math.min(earliestMs + hourMs, lastMs);
  return { data: hoursOf(rows, fromMs, lastMs), is_complete: isComplete };
}

function hoursOf(
  rows: readonly { hour: number; status: string; count: number }[],
  fromMs: number,
  lastMs: number,
): Counts['data'] {
  const length = (lastMs - fromMs) / hourMs + 1;
  const data = Array.from({ length }, (_, at) => {
    const hour = new Date(fromMs + at * hourMs).toISOString();
    return { hour, waiting: 0, succeeded: 0, failed: 0, cancelled: 0 };
  });
  for (const { hour, status, count } of rows) {
    const found = data[(hour * hourMs - fromMs) / hourMs];
    if (found) found[outcomes[status]!] += Number(count);
  }
  return data;
}
