/**
 * Turns events into deliveries. Dispatching assigns an event's number and inserts a delivery per matching subscription, in one
 * transaction. Numbers are assigned after the event's commit and under a lock, so a reader never sees a lower number appear
 * later.
 */
import { sql } from 'kysely';
import { type AllCompanies, acrossCompanies } from '../../platform/db/across-companies.ts';
import type { Database } from '../../platform/db/client.ts';
import { preparedQuery, preparedWrite } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';
import { patternsFor } from '../webhooks/subscriptions/event-patterns.ts';
import { wakeWebhooks } from '../webhooks/subscriptions/wake-webhooks.ts';
import { makeRoom, type RoomTools } from './backlog-quota.ts';

const batchEvents = 500;
/** Events per transaction; the rest goes to the next one. */
const maxEvents = 5_000;

/** @returns companies with undispatched events, longest waiting first */
export async function companiesWithEvents(all: AllCompanies, limit: number): Promise<string[]> {
  const rows = await acrossCompanies<{ company_id: string }>(
    all,
    'events',
    (events) =>
      `select company_id from ${events} where sequence is null
       group by company_id order by min(created_at) limit ${Number(limit)}`,
  );
  return rows.map(({ company_id: companyId }) => companyId);
}

interface DispatchTools extends RoomTools {
  db: Database;
}

interface DispatchResult {
  woken: Set<string>;
  /** The woken ones with a running turn, which will find the deliveries; the others have a job. */
  running: string[];
  /** Deactivated for lack of room. */
  deactivated: Set<string>;
  more: boolean;
}

/** Rolls back a transaction that changed nothing: a commit would write its row locks to disk. */
class NothingDispatched extends Error {
  readonly dispatched: DispatchResult | undefined;

  constructor(dispatched: DispatchResult | undefined) {
    super('nothing to dispatch');
    this.dispatched = dispatched;
  }
}

/** Dispatches a company's events, and adds the delivery jobs. @returns undefined if another process is dispatching it */
export async function dispatchEvents(
  { db, ...tools }: DispatchTools,
  companyId: string,
): Promise<DispatchResult | undefined> {
  try {
    return await db.tenant(companyId).transaction((tx) => dispatchIn(tx, tools));
  } catch (error) {
    if (error instanceof NothingDispatched) return error.dispatched;
    throw error;
  }
}

async function dispatchIn(tx: TenantTransaction, tools: RoomTools): Promise<DispatchResult> {
  const dispatched: DispatchResult = { woken: new Set(), running: [], deactivated: new Set(), more: false };
  let numbered = 0;
  for (let batch = batchEvents; batch === batchEvents && numbered < maxEvents; numbered += batch) {
    const [events, webhooks] = await numberNext(tx);
    batch = events.length;
    if (batch > 0) await fanOut(tx, tools, { events, webhooks }, dispatched);
  }
  if (numbered === 0) throw new NothingDispatched(dispatched);
  const running = await wakeWebhooks(tx.raw, tx.company_id, [...dispatched.woken]);
  return { ...dispatched, running, more: numbered >= maxEvents };
}

/** @throws Nothing if another process is dispatching */
async function numberNext(tx: TenantTransaction): Promise<[NumberedEvent[], ActiveWebhook[]]> {
  for (;;) {
    const [rows, webhooks] = await Promise.all([numberEvents(tx), activeWebhooks(tx)]); // pipelined
    const [{ held, seen }] = rows as [NumberedRow];
    if (held === null && seen !== null) throw new NothingDispatched(undefined);
    if (held !== null && held === seen) return [rows.filter(isNumbered), webhooks];
    // Another process dispatched after this statement's snapshot, or it is the company's first event.
    if (seen === null) await makeSequence(tx);
  }
}

/** Waits for another process that does the same. */
async function makeSequence(tx: TenantTransaction): Promise<void> {
  await tx
    .insertInto('event_sequences', { last_sequence: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

interface NumberedEvent {
  id: string;
  name: string;
  created_at: string;
  /** The subscription the event is about, which only others are notified of. */
  webhook_id: string | null;
}

/** There is at least one row. */
type NumberedRow = (NumberedEvent | { id: null }) & {
  /** The locked last number; null if another process holds the lock, or there is none. */
  held: number | null;
  /** The last number in the statement's snapshot. */
  seen: number | null;
};

function isNumbered(row: NumberedRow): row is NumberedRow & NumberedEvent {
  return row.id !== null;
}

/**
 * Takes the lock, unless another process has it, and assigns numbers. The statement's snapshot is older than the lock, so it does
 * nothing if another process has assigned numbers in between. An event's number is its index in a list of ids, because for a
 * join, Postgres may read all of the company's events for each one.
 */
const numberEvents = preparedQuery<[], NumberedRow>(
  ({ company_id: companyId }) => sql<NumberedRow>`
    with held as (
      select last_sequence from event_sequences where company_id = ${companyId} for update skip locked
    ),
    seen as (select last_sequence from event_sequences where company_id = ${companyId}),
    fresh as (
      select array(
        select id from events
        where company_id = ${companyId} and sequence is null
          and (select last_sequence from held) = (select last_sequence from seen)
        order by created_at, id
        limit ${batchEvents}
      ) as ids
    ),
    numbered as (
      update events set sequence = held.last_sequence + array_position(fresh.ids, events.id)
      from fresh, held
      where events.company_id = ${companyId} and events.id = any((select given.ids from fresh as given)::uuid[])
      returning events.id, events.name, events.created_at, events.sequence,
        case when events.name = 'webhook.deactivated' then events.payload::json ->> 'id' end as webhook_id
    ),
    counted as (
      update event_sequences set last_sequence = last_sequence + cardinality(fresh.ids)
      from fresh
      where company_id = ${companyId} and cardinality(fresh.ids) > 0
    )
    select held.last_sequence as held, seen.last_sequence as seen,
      numbered.id, numbered.name, numbered.created_at, numbered.webhook_id
    from (select 1) as one left join held on true left join seen on true left join numbered on true
    order by numbered.sequence`,
);

interface ActiveWebhook {
  id: string;
  events: string[];
  payload_format: string;
  wanted_from: string;
}

/** Locked against deactivation and deletion, so that those see all deliveries to cancel. */
const activeWebhooks = preparedQuery<[], ActiveWebhook>(
  ({ company_id: companyId }) => sql<ActiveWebhook>`
    with held as (select from event_sequences where company_id = ${companyId} for update skip locked)
    select id, events, payload_format, wanted_from from webhooks
    where company_id = ${companyId} and status = 'active' and exists (select from held)
    order by id
    for key share`,
);

/** Inserts a delivery per matching event and subscription, unless it exists. */
async function fanOut(
  tx: TenantTransaction,
  tools: RoomTools,
  { events, webhooks }: { events: NumberedEvent[]; webhooks: ActiveWebhook[] },
  { woken, deactivated }: DispatchResult,
): Promise<void> {
  const eventsByWebhook = new Map(
    webhooks.map((webhook) => [webhook.id, events.filter((event) => subscribesTo(webhook, event))]),
  );
  const counts = new Map([...eventsByWebhook].map(([id, of]) => [id, of.length]));
  if (![...counts.values()].some(Boolean)) return;
  for (const id of await makeRoom(tx, tools, counts)) deactivated.add(id);
  const columns: DeliveryColumns = { id: [], webhook_id: [], event_id: [], event: [], payload_format: [] };
  for (const webhook of webhooks.filter(({ id }) => counts.has(id))) {
    for (const event of eventsByWebhook.get(webhook.id)!) {
      columns.id.push(newId());
      columns.webhook_id.push(webhook.id);
      columns.event_id.push(event.id);
      columns.event.push(event.name);
      columns.payload_format.push(webhook.payload_format);
      woken.add(webhook.id);
    }
  }
  const { id, webhook_id: webhookId, event_id: eventId, event, payload_format: payloadFormat } = columns;
  if (id.length > 0) insertDeliveries(tx, id, webhookId, eventId, event, payloadFormat);
}

interface DeliveryColumns {
  id: string[];
  webhook_id: string[];
  event_id: string[];
  event: string[];
  payload_format: string[];
}

function subscribesTo(webhook: { id: string; events: string[]; wanted_from: string }, event: NumberedEvent): boolean {
  if (webhook.id === event.webhook_id || event.created_at < webhook.wanted_from) return false;
  const patterns = patternsFor(event.name);
  return webhook.events.some((pattern) => patterns.includes(pattern));
}

/** The same statement text for any number of rows. Due within this transaction: the column is rounded to milliseconds. */
const insertDeliveries = preparedWrite(
  (
    { company_id: companyId },
    id: string[],
    webhookId: string[],
    eventId: string[],
    event: string[],
    payloadFormat: string[],
  ) => sql`
    insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, due_at)
    select ${companyId}, added.id, added.webhook_id, added.event_id, added.event, added.payload_format,
      now() - interval '1 ms'
    from unnest(${id}::uuid[], ${webhookId}::uuid[], ${eventId}::uuid[], ${event}::text[], ${payloadFormat}::text[])
      as added (id, webhook_id, event_id, event, payload_format)
    on conflict do nothing`,
);
