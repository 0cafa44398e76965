/** Claims deliveries that are due with a lease, so that no other process makes the same attempt. */
import { sql } from 'kysely';
import { prepared } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { Origin } from '../../platform/observe/activity.ts';
import type { EventRow } from '../webhooks/webhook-body.ts';

/** A subscription's deliveries. */
export interface Line {
  company_id: string;
  webhook_id: string;
}

/** A delivery for one attempt, with all that the request needs. */
export interface ClaimedDelivery {
  id: string;
  /** Attempts before this one. */
  attempt_count: number;
  failures: number;
  /** Attempts since the last one that was recorded, of which there is no record: their process may have died at them. */
  deaths: number;
  /** Whether that is beyond doubt: it is not to be made. */
  is_deadly: boolean;
  retried: boolean;
  manual: boolean;
  payload_format: string;
  /** The end of the lease, which is also the proof that the claim is ours. */
  lease_until: string;
  event: EventRow;
  url: string;
  headers_encrypted: Buffer | null;
  secrets_encrypted: Buffer;
  /** Of the event: the request that it comes from. */
  origin: Origin | null;
}

/** How many processes may die at an attempt. */
const most_deaths = 2;

interface ClaimLimits {
  most: number;
  /** Of the subscription, in all processes. */
  most_under_way: number;
  lease_ms: number;
}

/**
 * Claims what is due, oldest first: first attempts, retries, and attempts whose lease has ended without a record. Nothing for
 * a subscription that is not active.
 *
 * When two processes have died at an attempt, it is the attempt that they died at if it was the only one under way. Else it
 * is made once more, when no other of the subscription is, so that nothing is given up for having been beside it.
 */
export async function claimDue(
  tenant: Tenant,
  { webhook_id }: Line,
  { most, most_under_way, lease_ms }: ClaimLimits,
): Promise<ClaimedDelivery[]> {
  const { company_id } = tenant;
  const { rows } = await prepared(sql<Omit<ClaimedDelivery, 'event'> & Flat<EventRow>>`
    with under_way as (
      select count(*)::int as attempts, coalesce(max(deaths), 0) >= ${most_deaths} as is_suspected from deliveries
      where company_id = ${company_id} and webhook_id = ${webhook_id} and status = 'delivering' and due_at > now()
    ),
    suspect as (
      select deliveries.id, deliveries.is_alone from deliveries
      join webhooks on webhooks.company_id = deliveries.company_id and webhooks.id = deliveries.webhook_id
      where deliveries.company_id = ${company_id} and deliveries.webhook_id = ${webhook_id}
        and deliveries.status = 'delivering' and deliveries.due_at <= now() and deliveries.deaths >= ${most_deaths - 1}
        and webhooks.status = 'active'
      order by deliveries.due_at, deliveries.event_id
      limit 1
      for no key update of deliveries skip locked
    ),
    room as (
      select case
        when is_suspected or exists (select from suspect) then 0
        else least(${most}::int, greatest(${most_under_way}::int - attempts, 0))
      end as places
      from under_way
    ),
    usual as (
      select deliveries.id, deliveries.is_alone from deliveries
      join webhooks on webhooks.company_id = deliveries.company_id and webhooks.id = deliveries.webhook_id
      where deliveries.company_id = ${company_id} and deliveries.webhook_id = ${webhook_id}
        and deliveries.status in ('pending', 'delivering') and deliveries.due_at <= now()
        and deliveries.deaths < ${most_deaths - 1}
        and webhooks.status = 'active'
      order by deliveries.due_at, deliveries.event_id
      limit (select places from room)
      for no key update of deliveries skip locked
    ),
    due as (
      select id, is_alone from suspect where (select attempts from under_way) = 0
      union all
      select id, is_alone from usual
    )
    update deliveries
    set status = 'delivering', due_at = now() + make_interval(secs => ${lease_ms}::int / 1000.0),
      deaths = deliveries.deaths + (deliveries.status = 'delivering')::int,
      is_alone = (select attempts from under_way) + (select count(*) from due as claimed) = 1
    from due, events, webhooks
    where deliveries.company_id = ${company_id} and deliveries.id = due.id
      and events.company_id = ${company_id} and events.id = deliveries.event_id
      and webhooks.company_id = ${company_id} and webhooks.id = deliveries.webhook_id
    returning deliveries.id, deliveries.attempt_count, deliveries.failures, deliveries.retried, deliveries.manual,
      deliveries.deaths, deliveries.deaths >= ${most_deaths} and due.is_alone as is_deadly,
      deliveries.payload_format, deliveries.due_at as lease_until,
      webhooks.url, webhooks.headers_encrypted, webhooks.secrets_encrypted, events.origin,
      events.id as event_id, events.name as event_name, events.event_type as event_event_type,
      events.payload as event_payload, events.idempotency_key as event_idempotency_key,
      events.created_at as event_created_at`).execute(tenant.raw);
  return rows.map((row) => ({
    ...row,
    event: {
      id: row.event_id,
      name: row.event_name,
      event_type: row.event_event_type,
      payload: row.event_payload,
      idempotency_key: row.event_idempotency_key,
      created_at: row.event_created_at,
    },
  }));
}

type Flat<T> = { [K in keyof T & string as `event_${K}`]: T[K] };
