/** The console's grant: everything its user may do, in all their companies, while their browser is signed in. */
import type Provider from 'oidc-provider';
import type { Database } from '../../platform/db/client.ts';
import { consoleClient } from '../clients/console-client.ts';
import { companiesBySignInMethod } from '../grants/companies-by-sign-in-method.ts';
import { giveConsent } from '../grants/consent.ts';
import { parseScopes, requestedIdentityScopes } from '../grants/scopes.ts';

interface ConsoleSignIn {
  user_id: string;
  /** The console's existing grant in this browser's session. */
  known: string | undefined;
  resource: string;
  /** From the request. */
  scope: string;
  /** How the user signed in. */
  amr: readonly string[] | undefined;
}

/** @returns the session's grant; a new one if there is none, or the user's companies have changed */
export async function grantOfConsole(provider: Provider, db: Database, signIn: ConsoleSignIn): Promise<string> {
  const { user_id: userId, known, resource, scope, amr } = signIn;
  const companyIds = (await companiesBySignInMethod(db, userId, amr)).map(({ id }) => id);
  const scopes = parseScopes(scope);
  if (known && (await isFor(db, known, { user_id: userId, company_ids: companyIds, scopes }))) return known;
  return giveConsent(provider, db, {
    user_id: userId,
    client_id: consoleClient.id,
    company_ids: companyIds,
    resource,
    scopes,
    identity: requestedIdentityScopes(scope),
    installation_role: undefined,
  });
}

interface GrantRequest {
  user_id: string;
  company_ids: string[];
  scopes: string[];
}

async function isFor(
  db: Database,
  id: string,
  { user_id: userId, company_ids: companyIds, scopes }: GrantRequest,
): Promise<boolean> {
  const grant = await db.global
    .selectFrom('oauth_grants')
    .select(['company_ids', 'scopes'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!grant) return false;
  const companies = new Set(grant.company_ids);
  const sameCompanies = companies.size === companyIds.length && companyIds.every((each) => companies.has(each));
  return sameCompanies && scopes.every((scope) => grant.scopes.includes(scope));
}
