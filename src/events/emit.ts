/**
 * Events. The cast: an *event* is something that happened in a company; a *subscription* is a URL that wants some of
 * them; a *delivery* is one event for one subscription; an *attempt* is one request that tries to deliver.
 *
 * An event row commits with the change it announces, or not at all. Its payload freezes here: what delivers it later
 * knows no feature, and a later change of the record does not rewrite the past.
 */
import { v7 as uuidv7 } from 'uuid';
import type { TenantTransaction } from '../db/tenant.ts';
import { type EventName, type EventPayload, eventClasses } from './catalogue.ts';

/** @param payload what subscribers get as `data.data`; never a salary, an emergency contact or a signed URL */
export async function emit<N extends EventName>(
  tx: TenantTransaction,
  name: N,
  payload: EventPayload<N>,
): Promise<void> {
  const row = { id: uuidv7(), name, event_type: eventClasses[name], payload: JSON.stringify(payload) };
  await tx.insertInto('events', row).execute();
}
