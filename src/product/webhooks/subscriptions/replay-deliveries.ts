/**
 * Redelivers many deliveries at once. Each is treated as new: with its retries, and oldest first, because deliveries
 * due at the same time are sent in the order of their events. Single statements do all of it, because there may be a
 * hundred thousand.
 */
import { sql } from 'kysely';
import { say } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { Quotas } from '../../companies/quotas.ts';
import { matchesAny } from './event-patterns.ts';
import { holdWebhook, requireActive, type WebhookRow } from './subscriptions.ts';
import { wakeWebhook } from './wake-webhooks.ts';

export type EndedStatus = 'succeeded' | 'failed' | 'cancelled';

interface DeliveryRange {
  from: Date;
  to: Date;
  status: readonly EndedStatus[];
}

/**
 * For a subscription that this transaction has locked.
 * @throws 409 while deliveries of an earlier request wait or are under way
 */
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
  const message = say`Deliveries of this webhook are still being made again. Try again later.`;
  throw new Problem(409, 'conflict', message);
}

/**
 * @returns how many are made again
 * @throws 404 when the subscription was deleted since; 409 when it is deactivated, while an earlier request goes on, or
 * when more would wait than the company may have
 */
export async function redeliverRange(
  tx: TenantTransaction,
  quotas: Quotas,
  webhookId: string,
  { from, to, status }: DeliveryRange,
): Promise<number> {
  requireActive(await holdWebhook(tx, webhookId));
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
 * Sends every event that matches, happened since then and was not delivered with success, unless it is on its way.
 * Events without a number are left out: they are still to be given to the subscription, as it is active now.
 * @throws 409 when more would wait than the company may have
 */
export async function replayMissed(
  tx: TenantTransaction,
  quotas: Quotas,
  webhook: WebhookRow,
  from: Date,
): Promise<void> {
  const count = (await againWhatEnded(tx, webhook, from)) + (await forTheFirstTime(tx, webhook, from));
  await quotas.requireAfter(tx, 'waiting_deliveries', count);
  await wakeWebhook(tx.raw, { company_id: tx.company_id, webhook_id: webhook.id });
}

/** @returns how many */
async function againWhatEnded(tx: TenantTransaction, webhook: WebhookRow, from: Date): Promise<number> {
  // Where statistics are behind, as they are after an outage, the planner takes many for few and compares each delivery
  // with each event.
  await sql`set local enable_nestloop = off`.execute(tx.raw);
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ ...asIfNew, manual: false })
    .where('webhook_id', '=', webhook.id)
    .where('status', 'in', ['failed', 'cancelled'])
    .where('event_id', 'in', missableEvents(tx, webhook, from).select('id'))
    .executeTakeFirstOrThrow();
  await sql`set local enable_nestloop to default`.execute(tx.raw);
  return Number(numUpdatedRows);
}

/**
 * What has a delivery already is met in the index, and keeps it.
 * @returns how many
 */
async function forTheFirstTime(tx: TenantTransaction, webhook: WebhookRow, from: Date): Promise<number> {
  const events = missableEvents(tx, webhook, from).select(['id', 'name']);
  const { numAffectedRows } = await sql`
    insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, replaying, due_at)
    select ${tx.company_id}::uuid, gen_random_uuid(), ${webhook.id}::uuid, missed.id, missed.name,
      ${webhook.payload_format}, true, now()
    from ${events} as missed
    on conflict do nothing`.execute(tx.raw);
  return Number(numAffectedRows ?? 0n);
}

/** What the subscription should have had. That it was deactivated itself is told to the others only. */
function missableEvents(tx: TenantTransaction, webhook: WebhookRow, from: Date) {
  const aboutItself = sql<boolean>`
    case when name = 'webhook.deactivated' then payload::jsonb ->> 'id' = ${webhook.id} else false end`;
  return tx
    .selectFrom('events')
    .where('sequence', '>', 0)
    .where('created_at', '>=', from.toISOString())
    .where(matchesAny('name', webhook.events))
    .where(({ not }) => not(aboutItself));
}

/** A test that is made again is a test again: it is tried once. */
const asIfNew = {
  status: 'pending',
  failures: 0,
  retried: sql<boolean>`event <> 'webhook.test'`,
  replaying: true,
  due_at: sql<string>`now()`,
  completed_at: null,
};
