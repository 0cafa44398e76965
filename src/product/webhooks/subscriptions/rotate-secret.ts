import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { newWebhookSecret } from './signatures.ts';
import {
  lockWebhookSettings,
  type StoredSecret,
  sealSecrets,
  unexpiredSecrets,
  type WebhookRow,
} from './subscriptions.ts';
import type { WebhookSettings } from './webhook-settings.ts';

const overlapH = 24;
/** The maximum number of signatures per request. */
const maxSecrets = 10;

interface Rotation {
  row: WebhookRow;
  secret: string;
  /** When the previous secret expires; null if it already has. */
  previous_secret_expires_at: string | null;
}

/**
 * Earlier secrets stay valid for 24 hours each, or expire immediately.
 * @param immediately expires all others, for leaked secrets
 * @throws 404 if it was deleted meanwhile; 409 with too many unexpired secrets
 */
export async function rotateSecret(
  tx: TenantTransaction,
  settings: WebhookSettings,
  id: string,
  immediately: boolean,
): Promise<Rotation> {
  const row = await lockWebhookSettings(tx, id);
  const previous = immediately ? [] : withOverlap(unexpiredSecrets(row, settings, new Date()));
  const secret = newWebhookSecret();
  const secretsEncrypted = sealSecrets(settings, row, [{ secret, expires_at: null }, ...previous]);
  await tx.updateTable('webhooks').set({ secrets_encrypted: secretsEncrypted }).where('id', '=', id).execute();
  return { row, secret, previous_secret_expires_at: previous[0]?.expires_at ?? null };
}

/** The earlier valid secrets, newest first: the newest gets a day from now, the others keep their expiry. */
function withOverlap([newest, ...earlier]: StoredSecret[]): StoredSecret[] {
  if (earlier.length + 1 >= maxSecrets) {
    throw new Problem(
      409,
      'conflict',
      t`This webhook has ten secrets that are still valid. Wait until one has expired, or end them all with \`immediately\`.`,
    );
  }
  const expiresAt = new Date(Date.now() + overlapH * 3_600_000).toISOString();
  return [{ secret: newest!.secret, expires_at: expiresAt }, ...earlier];
}
