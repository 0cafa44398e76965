/**
 * Warns the admins by mail when a delivery has one retry left, about halfway to the deactivation. One mail per subscription and
 * hour: every failing delivery reaches its last retry within that time, unless the receiver asks for longer waits.
 */
import { sql } from 'kysely';
import { type Text, t } from '../../../contract/languages/text.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { Mail, MailQueue } from '../../../platform/mail/mail-queue.ts';
import { adminRecipients } from '../../companies/admin-recipients.ts';

export type FailureKind = 'client_error' | 'server_error' | 'network_error';

/** Follows “…, because ”. */
const explanations: Record<FailureKind, Text> = {
  client_error: t`the receiver refuses them (a 3xx or 4xx response)`,
  server_error: t`the receiver fails to take them (a 5xx response)`,
  network_error: t`the receiver can't be reached, or doesn't respond in time`,
};

interface Failing {
  kind: FailureKind;
  next_attempt_at: string;
}

/** @returns whether a mail was sent: not within an hour of the last, nor for an inactive subscription */
export async function warnOfFailing(
  tx: TenantTransaction,
  mail: MailQueue,
  webhookId: string,
  { kind, next_attempt_at: nextAttemptAt }: Failing,
): Promise<boolean> {
  const webhook = await tx
    .updateTable('webhooks')
    .set({ warned_at: sql<string>`statement_timestamp()` })
    .where('id', '=', webhookId)
    .where('status', '=', 'active')
    .where(sql<boolean>`(warned_at is null or warned_at < statement_timestamp() - make_interval(hours => 1))`)
    .returning(['url', 'description'])
    .executeTakeFirst();
  if (!webhook) return false;
  const { company, admins } = await adminRecipients(tx);
  const { hostname: host } = new URL(webhook.url);
  const time = `${nextAttemptAt.slice(0, 16).replace('T', ' ')} UTC`;
  const consolePath = `/console/${tx.company_id}/webhooks/${webhookId}`;
  const about = { company, host, description: webhook.description ?? '', time, consolePath };
  const mails = admins.map(({ name, email: to, language }): Mail => {
    const values = { name, ...about, explanation: explanations[kind].translate(language) };
    return { template: 'webhook_failing', to, language, values };
  });
  await mail.queueOfCompany(tx, mails);
  return true;
}
