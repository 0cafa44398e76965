/**
 * Events. The cast: an *event* is something that happened in a company; a *subscription* is a URL that wants some of
 * them; a *delivery* is one event for one subscription; an *attempt* is one request that tries to deliver.
 *
 * An event row commits with the change it announces, or not at all. Its payload freezes here: what delivers it later
 * knows no feature, and a later change of the record does not rewrite the past.
 */
import { insertEach, rowWrite } from '../../platform/db/insert-each.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { originColumn } from '../../platform/observe/activity.ts';
import { newId } from '../../platform/values/ids.ts';
import { type EventName, type EventPayload, eventClasses } from './catalogue.ts';

/** What an event has beside its payload. */
interface EventOptions {
  /** Lets a receiver tell that two events are about the same thing. */
  idempotency_key?: string;
}

/** @param payload what subscribers get as `data.data`; never a salary, an emergency contact or a signed URL */
export function emit<N extends EventName>(
  tx: TenantTransaction,
  name: N,
  payload: EventPayload<N>,
  options: EventOptions = {},
): void {
  insertEvent(tx, eventRow(name, payload, options));
  announceEvents(tx);
}

/**
 * The same thing happened many times, for example to each person of a team. A thousand or so at a time.
 * @param ids of the events, for who may come again to tell the same
 */
export function emitEach<N extends EventName>(
  tx: TenantTransaction,
  name: N,
  payloads: readonly EventPayload<N>[],
  ids: readonly (string | undefined)[] = [],
): void {
  if (payloads.length === 0) return;
  const rows = payloads.map((payload, at) => ({ ...eventRow(name, payload), ...(ids[at] && { id: ids[at] }) }));
  tx.write(insertEach(tx, 'events', eventColumns, rows).compile(tx.raw));
  announceEvents(tx);
}

const eventColumns = {
  id: 'uuid',
  name: 'text',
  event_type: 'text',
  payload: 'text',
  idempotency_key: 'text',
  origin: 'jsonb',
};

const insertEvent = rowWrite('events', Object.keys(eventColumns));

/** The row of an event. Its payload is encoded here, once: these characters are what every subscriber gets. */
export function eventRow<N extends EventName>(
  name: N,
  payload: EventPayload<N>,
  { idempotency_key: idempotencyKey }: { idempotency_key?: string | undefined } = {},
) {
  const encoded = payload === undefined ? null : JSON.stringify(payload);
  return {
    id: newId(),
    name,
    event_type: eventClasses[name],
    payload: encoded,
    idempotency_key: idempotencyKey,
    origin: originColumn(),
  };
}

/**
 * That an event has no number yet is all that tells the dispatcher to look at it. It is woken after the commit, without a
 * NOTIFY inside, which would make all commits wait for each other.
 */
function announceEvents(tx: TenantTransaction): void {
  tx.afterCommit('events');
}
