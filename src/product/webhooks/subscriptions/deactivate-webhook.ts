/**
 * Deactivates a subscription. A single conditional update decides races, so there is one mail and one event, however many
 * deliveries fail at once.
 */
import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import { asIs, type Text, t } from '../../../contract/languages/text.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { Mail, MailQueue } from '../../../platform/mail/mail-queue.ts';
import { adminRecipients } from '../../companies/admin-recipients.ts';
import { emit } from '../../events/emit.ts';

const rowsPerStatement = 50_000;

export type DeactivationReason = components['schemas']['DeactivationReason'];

export interface Deactivation {
  reason: DeactivationReason;
  /** The user; null if the service deactivates it and mails the admins. */
  user_id: string | null;
}

/** Cancels waiting deliveries, which can be redelivered later. Attempts in progress finish. @returns whether it was active */
export async function deactivateWebhook(
  tx: TenantTransaction,
  mail: MailQueue,
  webhookId: string,
  { reason, user_id: userId }: Deactivation,
): Promise<boolean> {
  // Waits for transactions that insert deliveries, which hold a key share lock, so that all deliveries are canceled below.
  await tx.selectFrom('webhooks').select('id').where('id', '=', webhookId).forUpdate().execute();
  const webhook = await tx
    .updateTable('webhooks')
    .set({
      status: 'deactivated',
      deactivation_reason: reason,
      deactivated_at: sql<string>`statement_timestamp()`,
      updated_at: sql<string>`statement_timestamp()`,
    })
    .where('id', '=', webhookId)
    .where('status', '=', 'active')
    .returning(['id', 'description', 'url', 'last_status_code', 'consecutive_failures', 'deactivated_at'])
    .executeTakeFirst();
  if (!webhook) return false;
  await cancelWaiting(tx, webhookId);
  const host = new URL(webhook.url).hostname;
  const { id, description, last_status_code: lastStatusCode, consecutive_failures: consecutiveFailures } = webhook;
  emit(tx, 'webhook.deactivated', {
    id,
    description,
    host,
    reason,
    last_status_code: lastStatusCode,
    consecutive_failures: consecutiveFailures,
    deactivated_by: userId,
    deactivated_at: webhook.deactivated_at!,
  });
  if (userId === null) await notifyAdmins(tx, mail, { id, host, description: description ?? '', reason });
  return true;
}

/** Cancels waiting deliveries. There may be a million, so it works in batches that stay below the statement timeout. */
export async function cancelWaiting(tx: TenantTransaction, webhookId: string): Promise<void> {
  const waiting = tx
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .limit(rowsPerStatement);
  for (let cancelled = rowsPerStatement; cancelled === rowsPerStatement; ) {
    const { numUpdatedRows } = await tx
      .updateTable('deliveries')
      .set({ status: 'cancelled', due_at: null, replaying: false, completed_at: sql<string>`statement_timestamp()` })
      .where('id', '=', sql<string>`any(array(${waiting}))`)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow();
    cancelled = Number(numUpdatedRows);
  }
}

const explanations: Record<string, Text> = {
  gone: t`the receiver responded that it is gone permanently (410)`,
  client_error: t`the receiver refused an event, and its retries as well (a 3xx or 4xx response)`,
  server_error: t`the receiver failed to take an event, and its retries as well (a 5xx response)`,
  network_error: t`the receiver could not be reached, or didn't respond in time, and its retries failed as well`,
  backlog: t`more deliveries are pending than the company can have, mostly for this receiver, which is too slow`,
};

async function notifyAdmins(
  tx: TenantTransaction,
  mail: MailQueue,
  webhook: { id: string; host: string; description: string; reason: DeactivationReason },
): Promise<void> {
  const { id, host, description, reason } = webhook;
  const { company, admins } = await adminRecipients(tx);
  const about = { company, host, description, consolePath: `/console/${tx.company_id}/webhooks/${id}` };
  const mails = admins.map(({ name, email: to, language }): Mail => {
    const explanation = (explanations[reason] ?? asIs(reason)).translate(language);
    return { template: 'webhook_deactivated', to, language, values: { name, ...about, explanation } };
  });
  await mail.queueOfCompany(tx, mails);
}
