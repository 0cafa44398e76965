/** What a user can consent to, and storing the consent. */
import type Provider from 'oidc-provider';
import type { Database } from '../../platform/db/client.ts';
import { fromReachable } from '../../platform/db/reachable.ts';
import { newId } from '../../platform/values/ids.ts';
import type { InstallationRole } from '../installations/installations.ts';
import { openid } from '../tokens/openid-scope.ts';
import { installation_s, refresh_total_s, session_lifetime_s } from './lifetimes.ts';
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
export async function activeCompanies(db: Database, user_id: string): Promise<ActiveCompany[]> {
  const memberships = await db.global
    .selectFrom('memberships')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(['companies.id', 'companies.name', 'memberships.collaborator_id'])
    .where('memberships.user_id', '=', user_id)
    .orderBy('companies.name')
    .orderBy('companies.id')
    .execute();
  const found = await fromReachable(
    memberships.map(async ({ id, name, collaborator_id }) => {
      const collaborator = await db
        .tenant(id)
        .selectFrom('collaborators')
        .select('role')
        .where('id', '=', collaborator_id)
        .where('user_id', '=', user_id)
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
  /** Whether the client is told who it is. */
  says_who: boolean;
}

/** How long a grant can be of use: while it is refreshed, or as long as the sign-in that it was given in, and its last token. */
function longest_s(granted: readonly Scope[]): number {
  return granted.includes('offline_access') ? refresh_total_s : session_lifetime_s + 3_600;
}

/**
 * A new grant for each consent: so that one sign-in of a client can end without ending the user's others.
 *
 * What ends all of a user's grants takes turns with it (`endUserGrants`): it ends this one as well, or comes first, and then the
 * session in which this was allowed is over, which the caller has to look at.
 * @returns the id of the grant
 */
export async function giveConsent(provider: Provider, db: Database, consent: Consent): Promise<string> {
  const { user_id, client_id, company_ids, resource, scopes, says_who, installation_role } = consent;
  const id = newId();
  // First the row: without it no token of this grant is accepted.
  const kept = says_who ? [openid, ...scopes] : scopes;
  const expires_at = installation_role ? null : new Date(Date.now() + longest_s(scopes) * 1_000).toISOString();
  const row = { id, user_id, client_id, company_ids, scopes: kept, expires_at, installation_role };
  await db.global.transaction().execute(async (tx) => {
    // None when they were erased meanwhile.
    await tx.selectFrom('users').select('id').where('id', '=', user_id).forShare().executeTakeFirstOrThrow();
    await tx.insertInto('oauth_grants').values(row).execute();
  });
  const grant = new provider.Grant({ accountId: user_id, clientId: client_id });
  grant.jti = id;
  if (says_who) grant.addOIDCScope(openid);
  grant.addResourceScope(resource, scopes);
  if (installation_role) Object.assign(grant, { expiresIn: installation_s }); // in place of the usual time
  await grant.save();
  return id;
}
