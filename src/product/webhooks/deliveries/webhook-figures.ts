/**
 * Statistics of a subscription's deliveries. Bounded reads: the latest ended deliveries by an index, and the first waiting ones.
 */
import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';

type WebhookFigures = components['schemas']['WebhookFigures'];

const maxEnded = 1_000;
const maxWaiting = 10_000;
const hours = 24;
/** The contract's maximum. Redeliveries weeks later take longer. */
const maxMs = 2 ** 31 - 1;

export async function webhookFigures(tenant: Tenant, webhookId: string): Promise<WebhookFigures> {
  const [ended, waiting] = await Promise.all([lastEnded(tenant, webhookId), waitingDeliveries(tenant, webhookId)]);
  const failed = ended.filter(({ status }) => status === 'failed').length;
  const responseTimes = ended.flatMap(({ duration_ms: durationMs }) => durationMs ?? []);
  const delays = ended.filter(({ status }) => status === 'succeeded').map(({ delay_ms: delayMs }) => delayMs);
  return {
    since: ended.at(-1)?.completed_at ?? null,
    ended: ended.length,
    succeeded: ended.length - failed,
    failed,
    failure_share: ended.length === 0 ? null : failed / ended.length,
    answer_ms: quantiles(responseTimes),
    delay_ms: quantiles(delays),
    ...waiting,
  };
}

interface EndedDelivery {
  status: string;
  completed_at: string;
  /** From the event to the end of the attempt. */
  delay_ms: number;
  duration_ms: number | null;
}

async function lastEnded(tenant: Tenant, webhookId: string): Promise<EndedDelivery[]> {
  const { company_id: companyId } = tenant;
  const { rows } = await sql<EndedDelivery>`
    with ended as (
      select id, status, attempt_count, created_at, completed_at from deliveries
      where company_id = ${companyId} and webhook_id = ${webhookId} and status in ('succeeded', 'failed')
        and completed_at > now() - make_interval(hours => ${hours}::int)
      order by completed_at desc
      limit ${maxEnded}
    )
    select ended.status, ended.completed_at, attempts.duration_ms,
      greatest(0, extract(epoch from ended.completed_at - ended.created_at) * 1000)::float8 as delay_ms
    from ended
    left join attempts on attempts.company_id = ${companyId} and attempts.delivery_id = ended.id
      and attempts.number = ended.attempt_count
    order by ended.completed_at desc`.execute(tenant.raw);
  return rows;
}

type Waiting = Pick<WebhookFigures, 'waiting' | 'waiting_more' | 'oldest_waiting_at'>;

async function waitingDeliveries(tenant: Tenant, webhookId: string): Promise<Waiting> {
  const { rows } = await sql<{ count: number; oldest: string | null }>`
    select count(*)::int as count, min(created_at) as oldest
    from (
      select created_at from deliveries
      where company_id = ${tenant.company_id} and webhook_id = ${webhookId} and status in ('pending', 'delivering')
      order by due_at, event_id
      limit ${maxWaiting + 1}
    ) as first`.execute(tenant.raw);
  const { count, oldest } = rows[0]!;
  const waiting = Math.min(count, maxWaiting);
  return { waiting, waiting_more: count > maxWaiting, oldest_waiting_at: oldest };
}

function quantiles(values: readonly number[]): WebhookFigures['answer_ms'] {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.min(maxMs, Math.round(sorted[Math.ceil(sorted.length * share) - 1]!));
  return { p50: at(0.5), p95: at(0.95) };
}
