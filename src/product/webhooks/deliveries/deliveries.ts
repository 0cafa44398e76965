/** Reads deliveries and builds their API responses. */

import { type Selectable, sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Deliveries } from '../../../../generated/db.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { t } from '../../../contract/languages/text.ts';
import { notFound, Problem } from '../../../contract/problem.ts';
import { keyset } from '../../../platform/db/keyset.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import { newId } from '../../../platform/values/ids.ts';
import { isId } from '../../access/records.ts';
import type { Quotas } from '../../companies/quotas.ts';
import { eventRow } from '../../events/emit.ts';
import { matchesAny } from '../subscriptions/event-patterns.ts';
import { lockWebhookSettings, requireActive, webhookLocation } from '../subscriptions/subscriptions.ts';
import { wakeWebhook } from '../subscriptions/wake-webhooks.ts';
import { describeFailure } from './failure-messages.ts';

type Delivery = components['schemas']['Delivery'];

const deliveryColumns = [
  'id',
  'webhook_id',
  'event_id',
  'event',
  'payload_format',
  'status',
  'attempt_count',
  'last_status_code',
  'last_error_class',
  'due_at',
  'created_at',
  'completed_at',
] as const satisfies (keyof Deliveries)[];

type DeliveryRow = Pick<Selectable<Deliveries>, (typeof deliveryColumns)[number]>;

export async function deliveryViews(
  tenant: Tenant,
  rows: readonly DeliveryRow[],
  language: Language,
): Promise<Delivery[]> {
  const durations = await lastDurations(tenant, rows);
  return rows.map((row) => ({ ...viewOf(row, language), last_duration_ms: durations.get(row.id) ?? null }));
}

export async function deliveryResponse(tenant: Tenant, row: DeliveryRow, language: Language): Promise<Delivery> {
  const [view] = await deliveryViews(tenant, [row], language);
  return view!;
}

async function lastDurations(tenant: Tenant, rows: readonly DeliveryRow[]): Promise<Map<string, number>> {
  const tried = rows.filter(({ attempt_count: attemptCount }) => attemptCount > 0);
  if (tried.length === 0) return new Map();
  const ids = tried.map(({ id }) => id);
  const numbers = tried.map(({ attempt_count: attemptCount }) => attemptCount);
  const last = await tenant
    .selectFrom('attempts')
    .select(['delivery_id', 'duration_ms'])
    .where(sql<boolean>`(delivery_id, number) in (select * from unnest(${ids}::uuid[], ${numbers}::integer[]))`)
    .execute();
  return new Map(last.map(({ delivery_id: deliveryId, duration_ms: durationMs }) => [deliveryId, durationMs]));
}

function viewOf(
  { due_at: dueAt, payload_format: _, ...row }: DeliveryRow,
  language: Language,
): Omit<Delivery, 'last_duration_ms'> {
  const status = row.status as Delivery['status'];
  const { last_status_code: statusCode, last_error_class: errorClass } = row;
  return {
    ...row,
    status,
    last_error: describeFailure({ status_code: statusCode, error_class: errorClass })?.translate(language) ?? null,
    // During an attempt, `due_at` is its start.
    next_attempt_at: status === 'pending' ? dueAt : null,
  };
}

export function deliveryLocation({ id, webhook_id: webhookId }: Pick<DeliveryRow, 'id' | 'webhook_id'>): string {
  return `${webhookLocation({ id: webhookId })}/deliveries/${id}`;
}

/** @throws 404 */
export async function findDelivery(tenant: Tenant, webhookId: string, id: string): Promise<DeliveryRow> {
  const row = isId(id) ? await one(tenant, webhookId, id).executeTakeFirst() : undefined;
  if (!row) throw notFound();
  return row;
}

interface DeliveryFilters {
  /** A pattern. */
  event?: string | undefined;
  status?: Delivery['status'] | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

export async function newestDeliveries(
  tenant: Tenant,
  webhookId: string,
  { event, status, since, until }: DeliveryFilters,
  count: number,
  after: [createdAt: string, id: string] | undefined,
): Promise<DeliveryRow[]> {
  return deliveriesOf(tenant, webhookId)
    .$if(event !== undefined, (query) => query.where(matchesAny('event', [event!])))
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since!.toISOString()))
    .$if(until !== undefined, (query) => query.where('created_at', '<', until!.toISOString()))
    .$call(keyset(['created_at', 'id'], 'desc', after))
    .limit(count)
    .execute();
}

function deliveriesOf(tenant: Tenant, webhookId: string) {
  return tenant.selectFrom('deliveries').select(deliveryColumns).where('webhook_id', '=', webhookId);
}

/**
 * A test: an event with number 0, which isn't one of the company's, to one subscription, without retries.
 * @throws 404 if it was deleted meanwhile; 409 if it is deactivated, or the quota of waiting deliveries is used up
 */
export async function sendTest(tx: TenantTransaction, quotas: Quotas, webhookId: string): Promise<DeliveryRow> {
  const webhook = await lockWebhookSettings(tx, webhookId);
  requireActive(webhook);
  await quotas.require(tx, 'waiting_deliveries', 1);
  const event = eventRow('webhook.test', undefined);
  await tx.insertInto('events', { ...event, sequence: 0 }).execute();
  const row = await tx
    .insertInto('deliveries', {
      id: newId(),
      webhook_id: webhookId,
      event_id: event.id,
      event: event.name,
      payload_format: webhook.payload_format,
      retried: false,
      due_at: sql<string>`now()`,
    })
    .returning(deliveryColumns)
    .executeTakeFirstOrThrow();
  await wake(tx, webhookId);
  return row;
}

/**
 * A waiting delivery keeps its retries; an ended one gets this single attempt.
 * @throws 404; 409 if the subscription is deactivated, an attempt is in progress, or the quota of waiting deliveries is used up
 */
export async function redeliver(
  tx: TenantTransaction,
  quotas: Quotas,
  webhookId: string,
  id: string,
): Promise<DeliveryRow> {
  const webhook = await lockWebhookSettings(tx, webhookId);
  const { status } = await lockDelivery(tx, webhookId, id);
  requireActive(webhook);
  if (status === 'delivering') throw attemptInProgress();
  if (status !== 'pending') await quotas.require(tx, 'waiting_deliveries', 1);
  const row = await tx
    .updateTable('deliveries')
    .set({ status: 'pending', manual: true, due_at: sql<string>`now()`, completed_at: null })
    .$if(status !== 'pending', (query) => query.set({ retried: false }))
    .where('id', '=', id)
    .returning(deliveryColumns)
    .executeTakeFirstOrThrow();
  await wake(tx, webhookId);
  return row;
}

async function lockDelivery(tx: TenantTransaction, webhookId: string, id: string): Promise<DeliveryRow> {
  const row = isId(id) ? await one(tx, webhookId, id).forNoKeyUpdate().executeTakeFirst() : undefined;
  if (!row) throw notFound();
  return row;
}

function one(tenant: Tenant, webhookId: string, id: string) {
  return deliveriesOf(tenant, webhookId).where('id', '=', id);
}

function attemptInProgress(): Problem {
  const message = t`An attempt of this delivery is in progress. Wait for its result first.`;
  return new Problem(409, 'conflict', message);
}

async function wake(tx: TenantTransaction, webhookId: string): Promise<void> {
  await wakeWebhook(tx.raw, { company_id: tx.company_id, webhook_id: webhookId });
}
