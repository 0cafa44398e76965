/** Rotates the secret of a registered client. */
import type { Database } from '../../platform/db/client.ts';
import { newScannable } from '../../platform/secrets/scannable.ts';
import { secretHash } from '../../platform/secrets/secrets.ts';

/**
 * The old secret stops immediately: a secret that leaked must not stay valid. What users granted stays, so the
 * client goes on with its refresh tokens as soon as it has the new secret.
 * @returns the new secret, kept only as its SHA-256; undefined when no active client with a secret has that id
 */
export async function rotateClientSecret(db: Database, id: string): Promise<string | undefined> {
  const secret = newScannable('client_secret');
  const changed = await db.global
    .updateTable('oauth_clients')
    .set({ secret_hash: secretHash(secret) })
    .where('id', '=', id)
    .where('secret_hash', 'is not', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return changed && secret;
}
