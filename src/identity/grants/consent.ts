/** The choices of a consent, and how a consent is stored. */
import type Provider from 'oidc-provider';
import type { Database } from '../../platform/db/client.ts';
import { settleReachable } from '../../platform/db/reachable.ts';
import { newId } from '../../platform/values/ids.ts';
import type { InstallationRole } from '../installations/installations.ts';
import { installationS, refreshTotalS, sessionLifetimeS } from './lifetimes.ts';
import type { Scope } from './scopes.ts';

interface ActiveCompany {
  id: string;
  name: string;
  role: string;
}

/** The companies where the user is active, by name, without those on a lost machine of a cluster, if others are reachable. */
export async function activeCompanies(db: Database, userId: string): Promise<ActiveCompany[]> {
  const memberships = await db.global
    .selectFrom('memberships')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(['companies.id', 'companies.name', 'memberships.collaborator_id'])
    .where('memberships.user_id', '=', userId)
    .orderBy('companies.name')
    .orderBy('companies.id')
    .execute();
  const found = await settleReachable(
    memberships.map(async ({ id, name, collaborator_id: collaboratorId }) => {
      const collaborator = await db
        .tenant(id)
        .selectFrom('collaborators')
        .select('role')
        .where('id', '=', collaboratorId)
        .where('user_id', '=', userId)
        .where('status', '=', 'active')
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return collaborator ? [{ id, name, role: collaborator.role }] : [];
    }),
  );
  return found.flat();
}

interface Consent {
  user_id: string;
  client_id: string;
  company_ids: string[];
  resource: string;
  scopes: Scope[];
  /** Of an installation, which is for one company; undefined for a user's own grant. */
  installation_role: InstallationRole | undefined;
  /** OpenID Connect scopes, from `requestedIdentityScopes`. */
  identity: string[];
}

/** How long a grant can be used: while it is refreshed, or for the rest of the session and its last token. */
function maxS(granted: readonly Scope[]): number {
  return granted.includes('offline_access') ? refreshTotalS : sessionLifetimeS + 3_600;
}

/**
 * Each consent is a new grant, so that one of a client's sign-ins can end without the user's others.
 *
 * A row lock serializes it with the revocation of all of a user's grants (`revokeUserGrants`): either that also revokes this grant,
 * or it comes first and the session is over, which the caller must check.
 * @returns the id of the grant
 */
export async function giveConsent(provider: Provider, db: Database, consent: Consent): Promise<string> {
  const {
    user_id: userId,
    client_id: clientId,
    company_ids: companyIds,
    resource,
    scopes,
    identity,
    installation_role: installationRole,
  } = consent;
  const id = newId();
  // The row comes first: without it no token of this grant is accepted.
  const grantedScopes = [...identity, ...scopes];
  const expiresAt = installationRole ? null : new Date(Date.now() + maxS(scopes) * 1_000).toISOString();
  const row = {
    id,
    user_id: userId,
    client_id: clientId,
    company_ids: companyIds,
    scopes: grantedScopes,
    expires_at: expiresAt,
    installation_role: installationRole,
  };
  await db.global.transaction().execute(async (tx) => {
    // Fails if the user was erased meanwhile.
    await tx.selectFrom('users').select('id').where('id', '=', userId).forShare().executeTakeFirstOrThrow();
    await tx.insertInto('oauth_grants').values(row).execute();
  });
  const grant = new provider.Grant({ accountId: userId, clientId });
  grant.jti = id;
  if (identity.length > 0) grant.addOIDCScope(identity.join(' '));
  grant.addResourceScope(resource, scopes);
  if (installationRole) Object.assign(grant, { expiresIn: installationS }); // overrides the default lifetime
  await grant.save();
  return id;
}
