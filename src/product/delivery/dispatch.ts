/**
 * From events to deliveries. An event row commits with its change, unnumbered; here it gets its number in the company
 * and a delivery for each subscription that wants it, in one transaction. Numbers are given after the commit and under a
 * lock, so a reader who has seen a number has seen, or will see, all below it: no late commit slips in behind.
 */
import { sql } from 'kysely';
import { type AllCompanies, acrossCompanies } from '../../platform/db/across-companies.ts';
import type { Database } from '../../platform/db/client.ts';
import { prepared, preparedQuery, preparedWrite } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';
import { patternsFor } from '../webhooks/event-patterns.ts';
import { makeRoom, type RoomTools } from './make-room.ts';

const batch_events = 500;
/** Events of one transaction; what is more is found by the next look. */
const most_events = 5_000;

/** @returns companies that have events without a number, the longest waiting first */
export async function companiesWithEvents(all: AllCompanies, limit: number): Promise<string[]> {
  const rows = await acrossCompanies<{ company_id: string }>(
    all,
    'events',
    (events) =>
      `select company_id from ${events} where sequence is null
       group by company_id order by min(created_at) limit ${Number(limit)}`,
  );
  return rows.map(({ company_id }) => company_id);
}

interface DispatchTools extends RoomTools {
  db: Database;
}

/** Subscriptions. */
interface Dispatched {
  /** Have deliveries now. */
  woken: Set<string>;
  /** Were deactivated, because there was no room for more. */
  deactivated: Set<string>;
}

/**
 * Dispatches what a company has. Who calls it wakes the subscriptions: should it die before that, they are found by who looks for
 * what is overdue.
 * @returns undefined when another process is at it
 */
export async function dispatchEvents(
  { db, ...tools }: DispatchTools,
  company_id: string,
): Promise<Dispatched | undefined> {
  return db.tenant(company_id).transaction((tx) => dispatchIn(tx, tools));
}

const setLastSequence = preparedWrite(
  ({ company_id }, last: number) =>
    sql`update event_sequences set last_sequence = ${last}::bigint where company_id = ${company_id}`,
);

async function dispatchIn(tx: TenantTransaction, tools: RoomTools): Promise<Dispatched | undefined> {
  const last = await lockSequence(tx);
  if (last === undefined) return undefined;
  const dispatched: Dispatched = { woken: new Set(), deactivated: new Set() };
  let numbered = 0;
  for (let batch = batch_events; batch === batch_events && numbered < most_events; numbered += batch) {
    const [events, webhooks] = await Promise.all([numberEvents(tx, last + numbered), activeWebhooks(tx)]);
    batch = events.length;
    if (batch > 0) await fanOut(tx, tools, { events, webhooks }, dispatched);
  }
  if (numbered > 0) setLastSequence(tx, last + numbered);
  return dispatched;
}

async function lockSequence(tx: TenantTransaction): Promise<number | undefined> {
  const find = async () => {
    const free = tx.selectFrom('event_sequences').select('last_sequence').forUpdate().skipLocked();
    return (await prepared(free).execute(tx.raw)).rows[0];
  };
  const found = await find();
  if (found) return Number(found.last_sequence);
  // Another process holds the lock, or it is the company's first event. To insert in the first case would be to wait for it.
  const others = await prepared(tx.selectFrom('event_sequences').select('last_sequence')).execute(tx.raw);
  if (others.rows.length > 0) return undefined;
  await tx
    .insertInto('event_sequences', { last_sequence: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await find();
  return made && Number(made.last_sequence);
}

interface NumberedEvent {
  id: string;
  name: string;
  created_at: string;
  /** The subscription that the event is about: it is told to the others only. */
  webhook_id: string | null;
}

async function numberEvents(tx: TenantTransaction, last: number): Promise<NumberedEvent[]> {
  const { rows } = await prepared(sql<NumberedEvent>`
    with fresh as (
      select id, row_number() over (order by created_at, id) as place
      from events
      where company_id = ${tx.company_id} and sequence is null
      order by created_at, id
      limit ${batch_events}
    )
    update events set sequence = ${last}::bigint + fresh.place
    from fresh
    where events.company_id = ${tx.company_id} and events.id = fresh.id
    returning events.id, events.name, events.created_at,
      case when events.name = 'webhook.deactivated' then events.payload::json ->> 'id' end as webhook_id`).execute(
    tx.raw,
  );
  return rows;
}

interface ActiveWebhook {
  id: string;
  events: string[];
  payload_format: string;
  wanted_from: string;
}

/** Locked against being switched off or deleted meanwhile, so that whoever does so sees all deliveries that it has to cancel. */
const activeWebhooks = preparedQuery<[], ActiveWebhook>((tx) =>
  tx
    .selectFrom('webhooks')
    .select(['id', 'events', 'payload_format', 'wanted_from'])
    .where('status', '=', 'active')
    .orderBy('id')
    .forKeyShare(),
);

/** A delivery for each event and subscription that match, unless there is one. */
async function fanOut(
  tx: TenantTransaction,
  tools: RoomTools,
  { events, webhooks }: { events: NumberedEvent[]; webhooks: ActiveWebhook[] },
  { woken, deactivated }: Dispatched,
): Promise<void> {
  const wanted = new Map(webhooks.map((webhook) => [webhook.id, events.filter((event) => wants(webhook, event))]));
  const counts = new Map([...wanted].map(([id, of]) => [id, of.length]));
  if (![...counts.values()].some(Boolean)) return;
  for (const id of await makeRoom(tx, tools, counts)) deactivated.add(id);
  const columns: DeliveryColumns = { id: [], webhook_id: [], event_id: [], event: [], payload_format: [] };
  for (const webhook of webhooks.filter(({ id }) => counts.has(id))) {
    for (const event of wanted.get(webhook.id)!) {
      columns.id.push(newId());
      columns.webhook_id.push(webhook.id);
      columns.event_id.push(event.id);
      columns.event.push(event.name);
      columns.payload_format.push(webhook.payload_format);
      woken.add(webhook.id);
    }
  }
  const { id, webhook_id, event_id, event, payload_format } = columns;
  if (id.length > 0) insertDeliveries(tx, id, webhook_id, event_id, event, payload_format);
}

interface DeliveryColumns {
  id: string[];
  webhook_id: string[];
  event_id: string[];
  event: string[];
  payload_format: string[];
}

function wants(webhook: { id: string; events: string[]; wanted_from: string }, event: NumberedEvent): boolean {
  if (webhook.id === event.webhook_id || event.created_at < webhook.wanted_from) return false;
  const patterns = patternsFor(event.name);
  return webhook.events.some((pattern) => patterns.includes(pattern));
}

/** One statement text, however many rows. */
const insertDeliveries = preparedWrite(
  (
    { company_id },
    id: string[],
    webhook_id: string[],
    event_id: string[],
    event: string[],
    payload_format: string[],
  ) => sql`
    insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, due_at)
    select ${company_id}, added.id, added.webhook_id, added.event_id, added.event, added.payload_format, now()
    from unnest(${id}::uuid[], ${webhook_id}::uuid[], ${event_id}::uuid[], ${event}::text[], ${payload_format}::text[])
      as added (id, webhook_id, event_id, event, payload_format)
    on conflict do nothing`,
);
