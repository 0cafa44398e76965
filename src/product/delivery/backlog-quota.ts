/**
 * Enforces the company's quota of waiting deliveries, so that a slow or hanging receiver can't fill the shared database:
 * deactivates the subscription with the largest backlog, and notifies its admins. Nothing is lost: events are kept, and
 * activating with `replay_from` sends what was missed.
 */
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { QuotaExceeded, type Quotas } from '../companies/quotas.ts';
import { deactivateWebhook } from '../webhooks/subscriptions/deactivate-webhook.ts';

export interface RoomTools {
  mail: MailQueue;
  quotas: Quotas;
}

/** @param newDeliveries new deliveries per active subscription; deactivated ones are removed from it */
export async function makeRoom(
  tx: TenantTransaction,
  { mail, quotas }: RoomTools,
  newDeliveries: Map<string, number>,
): Promise<string[]> {
  const deactivated: string[] = [];
  while (!(await isRoomFor(tx, quotas, newDeliveries))) {
    const webhookId = await largestBacklog(tx, newDeliveries);
    if (webhookId === undefined) break; // the quota was lowered: no candidate has waiting deliveries
    await deactivateWebhook(tx, mail, webhookId, { reason: 'backlog', user_id: null });
    newDeliveries.delete(webhookId);
    deactivated.push(webhookId);
  }
  return deactivated;
}

async function isRoomFor(tx: TenantTransaction, quotas: Quotas, newDeliveries: Map<string, number>): Promise<boolean> {
  const more = [...newDeliveries.values()].reduce((all, each) => all + each, 0);
  try {
    await quotas.require(tx, 'waiting_deliveries', more);
    return true;
  } catch (error) {
    if (error instanceof QuotaExceeded) return false;
    throw error;
  }
}

async function largestBacklog(tx: TenantTransaction, newDeliveries: Map<string, number>): Promise<string | undefined> {
  const waiting = await tx
    .selectFrom('deliveries')
    .select(['webhook_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('status', '=', 'pending')
    .groupBy('webhook_id')
    .execute();
  const known = new Map(waiting.map(({ webhook_id: webhookId, count }) => [webhookId, Number(count)]));
  const all = [...newDeliveries].map(([id, more]) => ({ id, count: more + (known.get(id) ?? 0) }));
  const [most] = all.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return most?.id;
}
