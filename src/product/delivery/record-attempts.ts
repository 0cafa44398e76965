/**
 * Records attempts: successes in one statement; failures in a transaction, which may deactivate the subscription or warn its
 * admins.
 */
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { warnOfFailing } from '../webhooks/deliveries/warn-of-failing.ts';
import {
  cancelWaiting,
  type DeactivationReason,
  deactivateWebhook,
} from '../webhooks/subscriptions/deactivate-webhook.ts';
import type { Attempt } from './attempt.ts';
import { type WrittenDelivery, writeAttempts } from './attempts-statement.ts';
import type { SubscriptionQueue } from './claim-deliveries.ts';

interface RecordResult {
  deactivated?: DeactivationReason | undefined;
  next_at?: string | undefined;
}

/** @param batch attempts of one subscription, in order of completion */
export async function recordAttempts(
  tenant: Tenant,
  mail: MailQueue,
  queue: SubscriptionQueue,
  turnId: string,
  batch: readonly Attempt[],
): Promise<RecordResult> {
  if (!batch.some(hasFailed)) {
    await writeAttempts(tenant, queue, turnId, batch); // a transaction by itself
    return {};
  }
  return tenant.transaction(async (tx) => {
    const written = await writeAttempts(tx, queue, turnId, batch);
    return applyOutcomes(tx, mail, queue, batch, new Map(written.map((row) => [row.id, row])));
  });
}

export function hasFailed({ outcome }: Attempt): boolean {
  return outcome.status !== 'succeeded';
}

async function applyOutcomes(
  tx: TenantTransaction,
  mail: MailQueue,
  { webhook_id: webhookId }: SubscriptionQueue,
  batch: readonly Attempt[],
  written: Map<string, WrittenDelivery>,
): Promise<RecordResult> {
  const ownAttempts = batch.filter(({ delivery }) => written.has(delivery.id));
  for (const { outcome } of ownAttempts) {
    if (outcome.status !== 'failed' || !outcome.deactivate) continue;
    const reason = outcome.deactivate;
    return (await deactivateWebhook(tx, mail, webhookId, { reason, user_id: null })) ? { deactivated: reason } : {};
  }
  const retries = ownAttempts
    .filter(({ outcome }) => outcome.status === 'pending')
    .map(({ delivery: { id } }) => written.get(id)!);
  if (retries.some(({ active }) => !active)) {
    await cancelWaiting(tx, webhookId); // deactivated or deleted meanwhile
    return {};
  }
  await warnOfLast(tx, mail, webhookId, ownAttempts, written);
  return { next_at: retries.map(({ due_at: dueAt }) => dueAt!).sort()[0] };
}

async function warnOfLast(
  tx: TenantTransaction,
  mail: MailQueue,
  webhookId: string,
  attempts: readonly Attempt[],
  written: Map<string, WrittenDelivery>,
): Promise<void> {
  for (const { outcome, delivery } of attempts) {
    if (outcome.status !== 'pending' || !outcome.isLast) continue;
    const nextAttemptAt = written.get(delivery.id)!.due_at!;
    await warnOfFailing(tx, mail, webhookId, { kind: outcome.kind, next_attempt_at: nextAttemptAt });
    return;
  }
}
