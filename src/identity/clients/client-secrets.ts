/** The secrets of registered clients: rotating them, and which of them are accepted. */
import type { JsonValue } from '../../../generated/db.ts';
import type { Database } from '../../platform/db/client.ts';
import { newScannable } from '../../platform/secrets/scannable.ts';
import { sameSecret, secretHash } from '../../platform/secrets/secrets.ts';

/** A secret before the newest one. */
export interface EarlierSecret {
  /** Its SHA-256, in base64url. */
  hash: string;
  expires_at: string;
}

/**
 * The old secrets stop immediately: a secret that leaked must not stay valid. What users granted stays, so the
 * client goes on with its refresh tokens as soon as it has the new secret.
 * @returns the new secret, kept only as its SHA-256; undefined when no active client with a secret has that id
 */
export async function rotateClientSecret(db: Database, id: string): Promise<string | undefined> {
  const secret = newScannable('client_secret');
  const changed = await db.global
    .updateTable('oauth_clients')
    .set({ secret_hash: secretHash(secret), earlier_secrets: '[]' })
    .where('id', '=', id)
    .where('secret_hash', 'is not', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return changed && secret;
}

/** @param earlier_secrets as they are kept, the newest first */
export function unexpired(earlierSecrets: JsonValue): EarlierSecret[] {
  const nowMs = Date.now();
  return (earlierSecrets as unknown as EarlierSecret[]).filter(
    ({ expires_at: expiresAt }) => Date.parse(expiresAt) > nowMs,
  );
}

/** What the library keeps as the secret of a client: the hashes of all that are accepted now. */
export function acceptedHashes(newest: Buffer, earlierSecrets: JsonValue): string {
  return [newest.toString('base64url'), ...unexpired(earlierSecrets).map(({ hash }) => hash)].join(' ');
}

/** @param accepted as `acceptedHashes` wrote them; each is compared, whichever it is, in the same time */
export function isAccepted(secret: string, accepted: string): boolean {
  const sent = secretHash(secret);
  const same = accepted.split(' ').map((hash) => sameSecret(sent, Buffer.from(hash, 'base64url')));
  return same.includes(true);
}
