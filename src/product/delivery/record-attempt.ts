/**
 * Records the results of attempts in one statement for a batch: the deliveries, the attempts, the counters of their
 * subscriptions. Only the holder of the lease may record. Retries and a deactivation are committed with it.
 */
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { cancelWaiting, type DeactivationReason, deactivateWebhook } from '../webhooks/deactivate-webhook.ts';
import { wakeForRetries } from '../webhooks/wake-webhooks.ts';
import { warnOfFailing } from '../webhooks/warn-of-failing.ts';
import type { Attempt } from './attempt.ts';
import type { Line } from './claim-deliveries.ts';
import { type Ended, type Written, writeAttempts, writeTogether } from './write-attempts.ts';

/**
 * Of several subscriptions, and none has failed: what follows from failures is a transaction for each subscription.
 * @param batch in the order they ended
 * @returns subscriptions whose attempts are recorded; of the others, which somebody else has locked, nothing is
 */
export async function recordSuccesses(tenant: Tenant, batch: readonly Ended[]): Promise<Set<string>> {
  return new Set((await writeTogether(tenant, batch)).map(({ webhook_id: webhookId }) => webhookId));
}

/**
 * @param batch attempts of one subscription, in the order they ended
 * @returns why the subscription was deactivated, if these attempts did it
 */
export async function recordAttempts(
  tenant: Tenant,
  mail: MailQueue,
  line: Line,
  batch: Attempt[],
): Promise<DeactivationReason | undefined> {
  if (!batch.some(hasFailed)) {
    await write(tenant, line, batch); // a transaction by itself
    return undefined;
  }
  return tenant.transaction(async (tx) => {
    const written = await write(tx, line, batch);
    return follow(tx, mail, line, batch, written);
  });
}

export function hasFailed({ outcome }: Attempt): boolean {
  return outcome.status !== 'succeeded';
}

/** @returns deliveries whose lease was still ours */
async function write(tenant: Tenant, { webhook_id: webhookId }: Line, batch: Attempt[]): Promise<Map<string, Written>> {
  const ended = batch.map((attempt) => ({ webhook_id: webhookId, attempt }));
  const rows = await writeAttempts(tenant, ended);
  return new Map(rows.map((row) => [row.id, row]));
}

async function follow(
  tx: TenantTransaction,
  mail: MailQueue,
  { company_id: companyId, webhook_id: webhookId }: Line,
  batch: Attempt[],
  written: Map<string, Written>,
): Promise<DeactivationReason | undefined> {
  const ours = batch.filter(({ delivery }) => written.has(delivery.id));
  for (const { outcome } of ours) {
    if (outcome.status !== 'failed' || !outcome.deactivate) continue;
    const reason = outcome.deactivate;
    return (await deactivateWebhook(tx, mail, webhookId, { reason, user_id: null })) ? reason : undefined;
  }
  const retries = ours
    .filter(({ outcome }) => outcome.status === 'pending')
    .map(({ delivery: { id } }) => written.get(id)!);
  // Deactivated or deleted meanwhile: there is nothing to wait for.
  if (retries.some(({ active }) => !active)) await cancelWaiting(tx, webhookId);
  else {
    const jobs = retries.map(({ due_at: dueAt }) => ({ company_id: companyId, webhook_id: webhookId, due_at: dueAt! }));
    await wakeForRetries(tx.raw, jobs);
    await warnOfLast(tx, mail, webhookId, ours, written);
  }
  return undefined;
}

/** The admins are told while there is time. */
async function warnOfLast(
  tx: TenantTransaction,
  mail: MailQueue,
  webhookId: string,
  attempts: readonly Attempt[],
  written: Map<string, Written>,
): Promise<void> {
  for (const { outcome, delivery } of attempts) {
    if (outcome.status !== 'pending' || !outcome.isLast) continue;
    const nextAttemptAt = written.get(delivery.id)!.due_at!;
    await warnOfFailing(tx, mail, webhookId, { kind: outcome.kind, next_attempt_at: nextAttemptAt });
    return;
  }
}
