/**
 * How people can sign in to a company: as users of its provider, or with their own account. These rules prevent that a provider
 * outage or a wrong setting locks a company out.
 */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { revokeCompanyGrants } from '../../identity/grants/grants.ts';
import { connectionOnlyRoles } from '../../identity/members/company-policy.ts';
import { roles } from '../../identity/members/member.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { activeAdmins } from '../collaborators/membership/admins.ts';
import { policyOfRole } from './sign-in-policy.ts';

/** Call `lockAdmins` first. @param excludedId the collaborator to ignore */
export async function hasOwnAdmin(
  tx: TenantTransaction,
  { passkey = false, excludedId }: { passkey?: boolean; excludedId?: string } = {},
): Promise<boolean> {
  const admins = await activeAdmins(tx).select(['id', 'user_id']).execute();
  const ids = admins.filter(({ id }) => id !== excludedId).map(({ user_id: userId }) => userId!);
  const own = await tx.global
    .selectFrom('users')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('only_company_id', 'is', null)
    .$if(passkey, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id')),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return own !== undefined;
}

/**
 * Stores in the company for which roles a connection is the only way to sign in: memberships read it, maybe on another machine of
 * a cluster.
 */
export async function storeSignInPolicy(tx: TenantTransaction): Promise<void> {
  const connections = await tx.global
    .selectFrom('sign_in_connections')
    .select(['sign_in', 'sign_in_by_role'])
    .where('company_id', '=', tx.company_id)
    .where('status', '=', 'enabled')
    .execute();
  const only = roles.filter((role) => connections.some((each) => policyOfRole(each, role) === 'connection_only'));
  const { policy } = await tx.global
    .selectFrom('companies')
    .select('policy')
    .where('id', '=', tx.company_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (isDeepStrictEqual(connectionOnlyRoles(policy), only)) return;
  await tx.global
    .updateTable('companies')
    .set({
      policy: JSON.stringify({ ...(policy as object), connection_only: only }),
      revision: sql<number>`revision + 1`,
    })
    .where('id', '=', tx.company_id)
    .execute();
  await notifyAccessChanged(tx.raw, { company_id: tx.company_id });
}

/** Ends sessions and tokens of everybody who signed in with a connection. */
export async function signOutPeople(tx: TenantTransaction, connectionId: string): Promise<void> {
  const links = await tx.global
    .selectFrom('sign_in_links')
    .select('user_id')
    .where('connection_id', '=', connectionId)
    .where('company_id', '=', tx.company_id)
    .execute();
  const userIds = links.map(({ user_id: userId }) => userId);
  await revokeCompanyGrants(tx.global, userIds, tx.company_id);
}
