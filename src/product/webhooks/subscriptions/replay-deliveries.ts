/**
 * Redelivers deliveries in bulk, as if new. Deliveries due at the same time are sent in the order of their events. Single
 * statements, because there may be a hundred thousand.
 */
import { sql } from 'kysely';
import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { Quotas } from '../../companies/quotas.ts';
import { matchesAny } from './event-patterns.ts';
import { lockWebhookSettings, requireActive, type WebhookRow } from './subscriptions.ts';
import { wakeWebhook } from './wake-webhooks.ts';

export type EndedStatus = 'succeeded' | 'failed' | 'cancelled';

interface DeliveryRange {
  from: Date;
  to: Date;
  status: readonly EndedStatus[];
}

/** For a locked subscription. @throws 409 while deliveries of an earlier request are waiting or in progress */
export async function refuseWhileReplaying(tx: TenantTransaction, webhookId: string): Promise<void> {
  const open = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('replaying', '=', true)
    .where('status', 'in', ['pending', 'delivering'])
    .limit(1)
    .executeTakeFirst();
  if (!open) return;
  const message = t`Deliveries of this webhook are still being replayed. Try again later.`;
  throw new Problem(409, 'conflict', message);
}

/**
 * @returns the number of deliveries
 * @throws 404 if the subscription was deleted meanwhile; 409 if it is deactivated, during an earlier request, or above the quota
 */
export async function redeliverRange(
  tx: TenantTransaction,
  quotas: Quotas,
  webhookId: string,
  { from, to, status }: DeliveryRange,
): Promise<number> {
  requireActive(await lockWebhookSettings(tx, webhookId));
  await refuseWhileReplaying(tx, webhookId);
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ ...asIfNew, manual: true })
    .where('webhook_id', '=', webhookId)
    .where('status', 'in', status)
    .where('created_at', '>=', from.toISOString())
    .where('created_at', '<', to.toISOString())
    .executeTakeFirst();
  const count = Number(numUpdatedRows);
  await quotas.requireAfter(tx, 'waiting_deliveries', count);
  if (count > 0) await wakeWebhook(tx.raw, { company_id: tx.company_id, webhook_id: webhookId });
  return count;
}

/**
 * Sends every matching event since then that wasn't delivered successfully. Events without a number are omitted: the dispatcher
 * will deliver them.
 * @throws 409 if the quota of waiting deliveries would be exceeded
 */
export async function replayMissed(
  tx: TenantTransaction,
  quotas: Quotas,
  webhook: WebhookRow,
  from: Date,
): Promise<void> {
  const count = (await redeliverEnded(tx, webhook, from)) + (await insertMissed(tx, webhook, from));
  await quotas.requireAfter(tx, 'waiting_deliveries', count);
  await wakeWebhook(tx.raw, { company_id: tx.company_id, webhook_id: webhook.id });
}

async function redeliverEnded(tx: TenantTransaction, webhook: WebhookRow, from: Date): Promise<number> {
  // With outdated statistics, as after an outage, the planner would compare each delivery with each event.
  await sql`set local enable_nestloop = off`.execute(tx.raw);
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ ...asIfNew, manual: false })
    .where('webhook_id', '=', webhook.id)
    .where('status', 'in', ['failed', 'cancelled'])
    .where('event_id', 'in', subscribedEvents(tx, webhook, from).select('id'))
    .executeTakeFirstOrThrow();
  await sql`set local enable_nestloop to default`.execute(tx.raw);
  return Number(numUpdatedRows);
}

/** Events with a delivery conflict with the index and keep it. */
async function insertMissed(tx: TenantTransaction, webhook: WebhookRow, from: Date): Promise<number> {
  const events = subscribedEvents(tx, webhook, from).select(['id', 'name']);
  const { numAffectedRows } = await sql`
    insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, replaying, due_at)
    select ${tx.company_id}::uuid, gen_random_uuid(), ${webhook.id}::uuid, missed.id, missed.name,
      ${webhook.payload_format}, true, now()
    from ${events} as missed
    on conflict do nothing`.execute(tx.raw);
  return Number(numAffectedRows ?? 0n);
}

/** The events the subscription should have received. Its own deactivation only goes to other subscriptions. */
function subscribedEvents(tx: TenantTransaction, webhook: WebhookRow, from: Date) {
  const aboutItself = sql<boolean>`
    case when name = 'webhook.deactivated' then payload::jsonb ->> 'id' = ${webhook.id} else false end`;
  return tx
    .selectFrom('events')
    .where('sequence', '>', 0)
    .where('created_at', '>=', from.toISOString())
    .where(matchesAny('name', webhook.events))
    .where(({ not }) => not(aboutItself));
}

/** A redelivered test stays a test, without retries. */
const asIfNew = {
  status: 'pending',
  failures: 0,
  retried: sql<boolean>`event <> 'webhook.test'`,
  replaying: true,
  due_at: sql<string>`now()`,
  completed_at: null,
};
