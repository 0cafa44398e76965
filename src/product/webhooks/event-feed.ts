/** The events of a company by number. Numbers are assigned after commit, so none appears below one that was already read. */
import type { components } from '../../../generated/api.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { type EventRow, eventColumns } from './deliveries/webhook-body.ts';
import { matchesAny } from './subscriptions/event-patterns.ts';

type Event = components['schemas']['Event'];

interface NumberedEvent extends EventRow {
  sequence: number | null;
}

interface EventFilters {
  /** A pattern. */
  event?: string | undefined;
  since?: Date | undefined;
}

export async function recordedEvents(
  tenant: Tenant,
  { event, since }: EventFilters,
  count: number,
  after = 0,
): Promise<NumberedEvent[]> {
  return matchingEvents(tenant, event)
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since!.toISOString()))
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(count)
    .execute();
}

/** 0 before the first. */
export async function lastNumber(tenant: Tenant): Promise<number> {
  const row = await tenant.selectFrom('event_sequences').select('last_sequence').executeTakeFirst();
  return Number(row?.last_sequence ?? 0);
}

/** Whether events after a number were removed, because their retention has ended. @param first number read after it, if any */
export async function eventsWereRemoved(
  tenant: Tenant,
  after: number,
  last: number,
  first: number | null | undefined,
): Promise<boolean> {
  if (after >= last || first === after + 1) return false;
  const query = tenant.selectFrom('events').select('sequence').where('sequence', '>', 0);
  const oldest = await query.orderBy('sequence').limit(1).executeTakeFirst();
  return (oldest?.sequence ?? last + 1) > after + 1;
}

export async function latestEvents(tenant: Tenant, event: string | undefined, count: number): Promise<NumberedEvent[]> {
  return matchingEvents(tenant, event).where('sequence', '>', 0).orderBy('sequence', 'desc').limit(count).execute();
}

function matchingEvents(tenant: Tenant, event: string | undefined) {
  return tenant
    .selectFrom('events')
    .select([...eventColumns, 'sequence'])
    .$if(event !== undefined, (query) => query.where(matchesAny('name', [event!])));
}

export function eventResponse({
  id,
  name,
  event_type: eventType,
  payload,
  idempotency_key: idempotencyKey,
  created_at: createdAt,
}: EventRow): Event {
  const data: Event['data'] = { event_type: eventType, timestamp: createdAt };
  if (payload !== null) data.data = JSON.parse(payload);
  if (idempotencyKey !== null) data.idempotency_key = idempotencyKey;
  return { id, event: name, timestamp: createdAt, data };
}
