/**
 * How many deliveries a company had in each hour. They are counted when somebody asks: a count that is kept beside them would be
 * one more row to write for each attempt, and one that all couriers of a company wait for. So that it costs about the same for
 * everybody, no more than the newest ones are counted.
 */
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

type Counts = components['schemas']['DeliveryCounts'];
type Outcome = 'waiting' | 'succeeded' | 'failed' | 'cancelled';

const most_counted = 50_000;
const hour_ms = 3_600_000;

const outcomes: Record<string, Outcome> = {
  pending: 'waiting',
  delivering: 'waiting',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};

/**
 * @param hours that end with the one of `now`
 * @param most of the deliveries that are counted
 */
export async function countedDeliveries(
  tenant: Tenant,
  hours: number,
  now: Date,
  most = most_counted,
): Promise<Counts> {
  const last_ms = Math.floor(now.getTime() / hour_ms) * hour_ms;
  const first_ms = last_ms - (hours - 1) * hour_ms;
  const newest = tenant
    .selectFrom('deliveries')
    .select(['created_at', 'status'])
    .where('created_at', '>=', new Date(first_ms).toISOString())
    .orderBy('created_at', 'desc')
    .limit(sql.lit(most + 1));
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
  const is_complete = counted <= most;
  const earliest_ms = Math.min(...rows.map(({ hour }) => hour * hour_ms));
  // The earliest hour that was found is counted in part only; there is always the one that is under way.
  const from_ms = is_complete ? first_ms : Math.min(earliest_ms + hour_ms, last_ms);
  return { data: hoursOf(rows, from_ms, last_ms), is_complete };
}

function hoursOf(
  rows: readonly { hour: number; status: string; count: number }[],
  from_ms: number,
  last_ms: number,
): Counts['data'] {
  const length = (last_ms - from_ms) / hour_ms + 1;
  const data = Array.from({ length }, (_, at) => {
    const hour = new Date(from_ms + at * hour_ms).toISOString();
    return { hour, waiting: 0, succeeded: 0, failed: 0, cancelled: 0 };
  });
  for (const { hour, status, count } of rows) {
    const found = data[(hour * hour_ms - from_ms) / hour_ms];
    if (found) found[outcomes[status]!] += Number(count);
  }
  return data;
}
