import { sql, type Transaction } from 'kysely';
import { removeAllFactors } from '../../identity/factors/factors.ts';
import { revokeAllAccess } from '../../identity/grants/revoke-access.ts';
import type { EncryptionKeys } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';

/**
 * Processes reject the user's tokens after the commit. Installations belong to their company and stay, with their installer's id.
 */
export async function eraseUser(
  tx: Transaction<GlobalTables>,
  encryptionKeys: EncryptionKeys,
  userId: string,
): Promise<void> {
  await revokeAllAccess(tx, encryptionKeys, userId);
  const grants = await tx
    .deleteFrom('oauth_grants')
    .where('user_id', '=', userId)
    .where('installation_role', 'is', null)
    .returning('id')
    .execute();
  await tx.updateTable('oauth_grants').set({ device_id: null }).where('user_id', '=', userId).execute();
  const ids = grants.map(({ id }) => id);
  await tx.deleteFrom('oauth_artifacts').where('grant_id', '=', sql<string>`any(${ids}::text[])`).execute();
  await removeAllFactors(tx, userId);
  await tx.deleteFrom('user_sessions').where('user_id', '=', userId).execute();
  await tx.deleteFrom('user_devices').where('user_id', '=', userId).execute();
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute();
  await tx.deleteFrom('sign_in_links').where('user_id', '=', userId).execute();
  await tx.deleteFrom('memberships').where('user_id', '=', userId).execute();
  await tx.deleteFrom('users').where('id', '=', userId).execute();
}
