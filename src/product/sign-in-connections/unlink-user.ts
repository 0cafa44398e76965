/** Separates a person from a provider's account for an operator, for example after somebody else signed in as them. */
import { revokeCompanyGrants } from '../../identity/grants/grants.ts';
import { recordAudit } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import { assertAdminRemains, lockAdmins } from '../collaborators/membership/admins.ts';
import { lockCollaborator } from '../collaborators/write/change-collaborator.ts';
import { removeMemberships } from './remove-connection.ts';

/**
 * Removes the user with their sessions, tokens, and second factors: those may be of somebody else.
 * @returns the number of removed links; undefined if a provider doesn't sign the user in
 * @throws 409 `last_admin`
 */
export async function unlinkUser(db: Database, userId: string): Promise<number | undefined> {
  const user = await db.global
    .selectFrom('users')
    .select('only_company_id')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!user?.only_company_id) return undefined;
  return db.tenant(user.only_company_id).transaction(async (tx) => {
    await lockAdmins(tx);
    const links = await tx.global
      .deleteFrom('sign_in_links')
      .where('user_id', '=', userId)
      .where('company_id', '=', tx.company_id)
      .returning(['connection_id', 'collaborator_id'])
      .execute();
    const [link] = links;
    if (!link) return undefined;
    const row = await lockCollaborator(tx, link.collaborator_id, true);
    await assertAdminRemains(tx, row);
    await revokeCompanyGrants(tx.global, [userId], tx.company_id);
    await removeMemberships(tx, [userId]);
    for (const { connection_id: connectionId } of links) {
      recordAudit(tx, {
        action: 'sign_in_connection.unlinked',
        actor: { type: 'operator' },
        target: { type: 'collaborator', id: row.id },
        details: { connection_id: connectionId, user_id: userId },
      });
    }
    return links.length;
  });
}
