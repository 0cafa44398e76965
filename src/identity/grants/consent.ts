/** What a user can consent to, and storing the consent. */
import type Provider from 'oidc-provider';
import type { Database } from '../../platform/db/client.ts';
import { fromReachable } from '../../platform/db/reachable.ts';
import { newId } from '../../platform/values/ids.ts';
import type { InstallationRole } from '../installations/installations.ts';
import { installationS, refreshTotalS, sessionLifetimeS } from './lifetimes.ts';
import type { Scope } from './scopes.ts';

interface ActiveCompany {
  id: string;
  name: string;
  role: string;
}

/**
 * The companies where the user is an active collaborator now, by name. Those on a machine of a cluster that is lost are left
 * out, as long as there are others.
 * @throws what the database fails with, where no company can be asked
 */
export async function activeCompanies(db: Database, userId: string): Promise<ActiveCompany[]> {
  const memberships = await db.global
    .selectFrom('memberships')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(['companies.id', 'companies.name', 'memberships.collaborator_id'])
    .where('memberships.user_id', '=', userId)
    .orderBy('companies.name')
    .orderBy('companies.id')
    .execute();
  const found = await fromReachable(
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
  /** Of an installation, which is for one company then; undefined for what a person allows for themselves. */
  installation_role: InstallationRole | undefined;
  /** What says who the person is: `identityAsked` of the request. */
  identity: string[];
}

/** How long a grant can be of use: while it is refreshed, or as long as the sign-in that it was given in, and its last token. */
function longestS(granted: readonly Scope[]): number {
  return granted.includes('offline_access') ? refreshTotalS : sessionLifetimeS + 3_600;
}

/**
 * A new grant for each consent: so that one sign-in of a client can end without ending the user's others.
 *
 * What ends all of a user's grants takes turns with it (`endUserGrants`): it ends this one as well, or comes first, and then the
 * session in which this was allowed is over, which the caller has to look at.
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
  // First the row: without it no token of this grant is accepted.
  const kept = [...identity, ...scopes];
  const expiresAt = installationRole ? null : new Date(Date.now() + longestS(scopes) * 1_000).toISOString();
  const row = {
    id,
    user_id: userId,
    client_id: clientId,
    company_ids: companyIds,
    scopes: kept,
    expires_at: expiresAt,
    installation_role: installationRole,
  };
  await db.global.transaction().execute(async (tx) => {
    // None when they were erased meanwhile.
    await tx.selectFrom('users').select('id').where('id', '=', userId).forShare().executeTakeFirstOrThrow();
    await tx.insertInto('oauth_grants').values(row).execute();
  });
  const grant = new provider.Grant({ accountId: userId, clientId: clientId });
  grant.jti = id;
  if (identity.length > 0) grant.addOIDCScope(identity.join(' '));
  grant.addResourceScope(resource, scopes);
  if (installationRole) Object.assign(grant, { expiresIn: installationS }); // in place of the usual time
  await grant.save();
  return id;
}
