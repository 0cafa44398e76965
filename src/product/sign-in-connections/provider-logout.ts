/** Signs people out of a company because its provider did (OpenID Connect Back-Channel Logout 1.0, section 2.7). */
import { providerSessionHash, revokeProviderSession } from '../../identity/devices/devices.ts';
import { useChallenge } from '../../identity/factors/challenges.ts';
import { revokeCompanyGrants } from '../../identity/grants/grants.ts';
import { type Origin, recordAudit } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import type { EncryptionKeys } from '../../platform/secrets/secrets.ts';
import type { OidcConnection } from './connection-at-sign-in.ts';
import { type Logout, logoutTokenMs } from './logout-token.ts';
import { userOfLink } from './subjects.ts';

/**
 * The connection's company is all that its provider reaches: subjects and sessions are looked up by the connection.
 * @returns false for a replayed token; true even if there was nobody to sign out
 */
export async function signOutByProvider(
  { db, encryption_keys: encryptionKeys }: { db: Database; encryption_keys: EncryptionKeys },
  connection: OidcConnection,
  { jti, sub, sid }: Logout,
  origin: Origin,
): Promise<boolean> {
  return db.tenant(connection.company_id).transaction(async (tx) => {
    // In the transaction, so that the provider can send the token again if this fails.
    if (!(await useChallenge(tx.global, `logout\n${connection.id}\n${jti}`, logoutTokenMs))) return false;
    const userId = sub && (await userOfLink(tx, connection.id, sub));
    if (sub && !userId) return true;
    const signedOut = sid
      ? await revokeProviderSession(tx.global, encryptionKeys, providerSessionHash(connection.id, sid), userId)
      : await signOutEverywhere(tx, userId!);
    for (const id of signedOut) {
      recordAudit(tx, {
        action: 'sign_in_connection.signed_out',
        actor: { type: 'user', user_id: id },
        origin,
        target: { type: 'sign_in_connection', id: connection.id },
      });
    }
    return true;
  });
}

async function signOutEverywhere(tx: TenantTransaction, userId: string): Promise<string[]> {
  await revokeCompanyGrants(tx.global, [userId], tx.company_id);
  return [userId];
}
