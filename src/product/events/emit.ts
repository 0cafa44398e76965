/**
 * Events. An *event* is something that happened in a company; a *subscription* is a URL that wants some of them; a *delivery* is
 * one event for one subscription; an *attempt* is one request that tries to deliver it.
 *
 * An event row commits together with the change it announces. Its payload is frozen here: delivery is independent of features,
 * and later changes don't rewrite the past.
 */
import { insertEach, rowWrite } from '../../platform/db/insert-each.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { originColumn } from '../../platform/observe/activity.ts';
import { newId } from '../../platform/values/ids.ts';
import { type EventName, type EventPayload, eventClasses } from './catalogue.ts';

interface EventOptions {
  /** Lets a receiver recognize events about the same occurrence. */
  idempotency_key?: string;
}

/** @param payload sent as `data.data`; never a salary, an emergency contact, or a signed URL */
export function emit<N extends EventName>(
  tx: TenantTransaction,
  name: N,
  payload: EventPayload<N>,
  options: EventOptions = {},
): void {
  insertEvent(tx, eventRow(name, payload, options));
  announceEvents(tx);
}

/** Emits the same event for many subjects. About a thousand at a time. @param ids of the events, for idempotent callers */
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

/** The row of an event. Its payload is encoded once, and every subscriber gets these characters. */
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

/** Wakes the dispatcher after the commit: a NOTIFY inside the transaction would serialize all commits. */
function announceEvents(tx: TenantTransaction): void {
  tx.afterCommit('events');
}
