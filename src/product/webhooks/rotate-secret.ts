/** Replacing the secret of a subscription. */

import { Problem } from '../../contract/problem.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newWebhookSecret } from './signatures.ts';
import { holdWebhook, sealSecrets, unexpiredSecrets, type WebhookRow } from './subscriptions.ts';
import type { WebhookSettings } from './webhook-settings.ts';

const overlap_h = 24;
/** As many signatures as one request carries. */
const max_secrets = 10;

interface Rotation {
  row: WebhookRow;
  secret: string;
  /** Until when the secret before this one is used too. */
  previous_secret_expires_at: string;
}

/** @throws 404 when it was deleted since; 409 with too many secrets that have not expired */
export async function rotateSecret(tx: TenantTransaction, settings: WebhookSettings, id: string): Promise<Rotation> {
  const row = await holdWebhook(tx, id);
  const now = new Date();
  const [newest, ...earlier] = unexpiredSecrets(row, settings, now);
  if (earlier.length + 1 >= max_secrets) {
    const message = 'This webhook has ten secrets that are still valid. Wait until one has expired.';
    throw new Problem(409, 'conflict', message);
  }
  const previous_secret_expires_at = new Date(now.getTime() + overlap_h * 3_600_000).toISOString();
  const previous = { secret: newest!.secret, expires_at: previous_secret_expires_at };
  const secret = newWebhookSecret();
  const secrets_encrypted = sealSecrets(settings, row, [{ secret, expires_at: null }, previous, ...earlier]);
  await tx.updateTable('webhooks').set({ secrets_encrypted }).where('id', '=', id).execute();
  return { row, secret, previous_secret_expires_at };
}
