import { sql } from 'kysely';
import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import { countRows } from '../../../platform/db/count-rows.ts';
import { lockNamed } from '../../../platform/db/named-lock.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { newId } from '../../../platform/values/ids.ts';
import { newWebhookSecret } from './signatures.ts';
import { newSecrets, sealHeaders, type WebhookRow, webhookColumns } from './subscriptions.ts';
import { normalizedUrl } from './target.ts';
import type { WebhookSettings } from './webhook-settings.ts';

const maxWebhooks = 20;

interface NewWebhook {
  url: string;
  events: string[];
  description?: string | null | undefined;
  headers?: Record<string, string> | null | undefined;
  payload_format: 'envelope' | 'flat';
  max_per_second?: number | null | undefined;
  created_by: string | null;
}

/**
 * Expects validated fields.
 * @returns the row, and its secret, which is never shown again
 * @throws 409 at the maximum per company
 */
export async function addWebhook(
  tx: TenantTransaction,
  settings: WebhookSettings,
  { headers, url, ...fields }: NewWebhook,
): Promise<{ row: WebhookRow; secret: string }> {
  await lockNamed(tx, 'webhooks'); // so that concurrent ones don't exceed the maximum
  if ((await countRows(tx.selectFrom('webhooks'))) >= maxWebhooks) {
    throw new Problem(409, 'conflict', t`A company can have ${maxWebhooks} webhooks. Delete one first.`);
  }
  const id = newId();
  const webhookKey = { company_id: tx.company_id, id };
  const secret = newWebhookSecret();
  // Statement time, not transaction time: under the lock, it gives the creation order.
  const now = sql<string>`statement_timestamp()`;
  const row = await tx
    .insertInto('webhooks', {
      ...fields,
      id,
      url: normalizedUrl(url),
      headers_encrypted: sealHeaders(settings, webhookKey, headers ?? {}),
      secrets_encrypted: newSecrets(settings, webhookKey, secret),
      created_at: now,
      updated_at: now,
    })
    .returning(webhookColumns)
    .executeTakeFirstOrThrow();
  return { row, secret };
}
