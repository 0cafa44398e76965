/**
 * The events of a company, in the order of their numbers. Numbers are assigned after the commit, so no event ever
 * appears before one that was already read.
 */
import type { components } from '../../../generated/api.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { matchesAny } from './event-patterns.ts';
import { type EventRow, eventColumns } from './webhook-body.ts';

type Event = components['schemas']['Event'];

interface NumberedEvent extends EventRow {
  sequence: number | null;
}

interface EventFilters {
  /** A pattern. */
  event?: string | undefined;
  since?: Date | undefined;
}

/**
 * Oldest first.
 * @param after the number of the event before these
 */
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

/** The last ones, newest first. */
export async function latestEvents(tenant: Tenant, event: string | undefined, count: number): Promise<NumberedEvent[]> {
  return matchingEvents(tenant, event).where('sequence', '>', 0).orderBy('sequence', 'desc').limit(count).execute();
}

function matchingEvents(tenant: Tenant, event: string | undefined) {
  return tenant
    .selectFrom('events')
    .select([...eventColumns, 'sequence'])
    .$if(event !== undefined, (query) => query.where(matchesAny('name', [event!])));
}

/** As a subscriber gets it in the envelope, except that nothing is delivered. */
export function eventView({ id, name, event_type, payload, idempotency_key, created_at }: EventRow): Event {
  const data: Event['data'] = { event_type, timestamp: created_at };
  if (payload !== null) data.data = JSON.parse(payload);
  if (idempotency_key !== null) data.idempotency_key = idempotency_key;
  return { id, event: name, timestamp: created_at, data };
}
