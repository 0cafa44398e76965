/** Deletes a sign-in connection: its people are signed out, and need an invitation to return. */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { lastAdmin, lockAdmins } from '../collaborators/membership/admins.ts';
import { removeMembership } from '../collaborators/membership/link-user.ts';
import { requestInstallationApproval } from '../connections/installer-departure.ts';
import { removeClientKeys } from './client-keys.ts';
import { lockConnection } from './sign-in-connections.ts';
import { hasOwnAdmin, signOutPeople, storeSignInPolicy } from './sign-in-methods.ts';

/** @throws 404 if it was deleted meanwhile, 409 `last_admin` if no admin has an account of their own */
export async function removeConnection(tx: TenantTransaction, id: string): Promise<{ deleted_at: string }> {
  await lockAdmins(tx);
  await lockConnection(tx, id);
  if (!(await hasOwnAdmin(tx))) throw lastAdmin();
  await signOutPeople(tx, id);
  const links = await tx.global
    .deleteFrom('sign_in_links')
    .where('connection_id', '=', id)
    .where('company_id', '=', tx.company_id)
    .returning('user_id')
    .execute();
  const userIds = links.map(({ user_id: userId }) => userId);
  await removeMemberships(tx, await withoutOtherLink(tx, userIds));
  await removeClientKeys(tx, id);
  await tx.global
    .deleteFrom('sign_in_domains')
    .where('connection_id', '=', id)
    .where('company_id', '=', tx.company_id)
    .execute();
  await tx.global
    .deleteFrom('sign_in_connections')
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .execute();
  await storeSignInPolicy(tx);
  return { deleted_at: new Date().toISOString() };
}

async function withoutOtherLink(tx: TenantTransaction, userIds: readonly string[]): Promise<string[]> {
  const others = await tx.global
    .selectFrom('sign_in_links')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('company_id', '=', tx.company_id)
    .execute();
  const linked = new Set(others.map(({ user_id: userId }) => userId));
  return userIds.filter((userId) => !linked.has(userId));
}

/** Separates the people of these users from them: only an invitation or a directory lets them in again. */
export async function removeMemberships(tx: TenantTransaction, userIds: readonly string[]): Promise<void> {
  await requestInstallationApproval(tx, userIds);
  for (const userId of userIds) {
    await tx
      .updateTable('collaborators')
      .set({ user_id: null, accepted_at: null })
      .where('user_id', '=', userId)
      .execute();
    await removeMembership(tx, userId);
  }
  // No one can sign in as them anymore; their actions stay with their ids.
  await tx.global
    .updateTable('users')
    .set({ name: '', email: '' })
    .where('id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('only_company_id', '=', tx.company_id)
    .execute();
}
