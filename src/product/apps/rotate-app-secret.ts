import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { type EarlierSecret, unexpired } from '../../identity/clients/client-secrets.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newScannable } from '../../platform/secrets/scannable.ts';
import { secretHash } from '../../platform/secrets/secrets.ts';
import { type AppRow, appColumns, lockApp } from './apps.ts';

const overlapMs = 24 * 3_600_000;
const maxSecrets = 10;

interface Rotation {
  row: AppRow;
  client_secret: string;
}

/**
 * Earlier secrets stay valid for 24 hours each, or expire immediately.
 * @param immediately expires all others, for leaked secrets
 * @throws 404 if it was deleted meanwhile; 409 for a public app, and with too many unexpired secrets
 */
export async function rotateSecret(tx: TenantTransaction, id: string, immediately: boolean): Promise<Rotation> {
  const row = await lockApp(tx, id);
  if (!row.secret_hash) throw new Problem(409, 'conflict', t`A public app has no secret.`);
  const earlier = immediately ? [] : withOverlap(row.secret_hash, unexpired(row.earlier_secrets));
  const clientSecret = newScannable('client_secret');
  const rotated = await tx.global
    .updateTable('oauth_clients')
    .set({ secret_hash: secretHash(clientSecret), earlier_secrets: JSON.stringify(earlier) })
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .returning(appColumns)
    .executeTakeFirstOrThrow();
  return { row: rotated, client_secret: clientSecret };
}

/** The earlier valid secrets, newest first: the newest gets a day from now, the others keep their expiry. */
function withOverlap(newest: Buffer, earlier: EarlierSecret[]): EarlierSecret[] {
  if (earlier.length + 1 >= maxSecrets) {
    throw new Problem(
      409,
      'conflict',
      t`This app has ten secrets that are still valid. Wait until one has expired, or end them all with \`immediately\`.`,
    );
  }
  const expiresAt = new Date(Date.now() + overlapMs).toISOString();
  return [{ hash: newest.toString('base64url'), expires_at: expiresAt }, ...earlier];
}
