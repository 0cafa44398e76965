/** Rotates and verifies the secrets of registered clients. */
import type { JsonValue } from '../../../generated/db.ts';
import type { Database } from '../../platform/db/client.ts';
import { newScannable } from '../../platform/secrets/scannable.ts';
import { sameSecret, secretHash } from '../../platform/secrets/secrets.ts';

export interface EarlierSecret {
  /** Its SHA-256, in base64url. */
  hash: string;
  expires_at: string;
}

/**
 * Revokes the old secrets immediately, because a leaked secret must not stay valid. Grants remain.
 * @returns the new secret, of which only the SHA-256 is stored; undefined when no active client with a secret has that id
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

/** @param earlierSecrets as stored, newest first */
export function unexpired(earlierSecrets: JsonValue): EarlierSecret[] {
  const nowMs = Date.now();
  return (earlierSecrets as unknown as EarlierSecret[]).filter(
    ({ expires_at: expiresAt }) => Date.parse(expiresAt) > nowMs,
  );
}

/** Encodes the hashes of all valid secrets as the client secret for the library. */
export function acceptedHashes(newest: Buffer, earlierSecrets: JsonValue): string {
  return [newest.toString('base64url'), ...unexpired(earlierSecrets).map(({ hash }) => hash)].join(' ');
}

/** @param accepted from `acceptedHashes`; every hash is compared, so that timing reveals nothing */
export function isAccepted(secret: string, accepted: string): boolean {
  const sent = secretHash(secret);
  const same = accepted.split(' ').map((hash) => sameSecret(sent, Buffer.from(hash, 'base64url')));
  return same.includes(true);
}
