/**
 * Enforces the maximum age of a sign-in (`session_max_age` of a company's policy). After it the browser's session ends, and
 * refresh tokens stop working; the company itself rejects access tokens (`api/http/steps/enter-company.ts`). The policy is
 * checked on every use rather than stored in tokens, so a shorter age applies immediately.
 */
import type { Database } from '../../platform/db/client.ts';
import { policiesOf, shortestAge } from '../members/company-policy.ts';
import { maxSignInAgeS } from '../members/step-up.ts';
import { activeCompanies } from './consent.ts';
import { sessionLifetimeS } from './lifetimes.ts';

/** @param signedInS seconds since 1970 */
export function isOlder(signedInS: number, ageS: number | null | undefined): boolean {
  return typeof ageS === 'number' && signedInS + ageS <= Date.now() / 1_000;
}

/** For a session, which opens all of a user's companies: the shortest age among those where they are active. */
export async function sessionIsOver(db: Database, userId: string, signedInS: number): Promise<boolean> {
  const rows = await db.global.selectFrom('memberships').select('company_id').where('user_id', '=', userId).execute();
  const shortest = shortestAge(
    await policiesOf(
      db.global,
      rows.map(({ company_id: companyId }) => companyId),
    ),
  );
  if (!isOlder(signedInS, shortest)) return false;
  // The user may have left a company.
  const active = await activeCompanies(db, userId);
  const policies = await policiesOf(
    db.global,
    active.map(({ id }) => id),
  );
  return isOlder(signedInS, shortestAge(policies));
}

/** For a sign-in by the identity provider of a company: whether a session from then would be over. */
export async function isTooOldForSession(db: Database, companyId: string, signedInS: number): Promise<boolean> {
  if (isOlder(signedInS, sessionLifetimeS)) return true;
  return isOlder(signedInS, shortestAge(await policiesOf(db.global, [companyId])));
}

/**
 * The time of a sign-in whose provider proves none. With `step_up`, it is too long ago for sensitive actions, because the
 * provider's own session may be weeks old.
 * @returns undefined if sessions of the company would end too soon then: their own factor has to prove the time
 */
export async function unprovenSignInS(db: Database, companyId: string): Promise<number | undefined> {
  const [policy] = await policiesOf(db.global, [companyId]);
  const nowS = Math.floor(Date.now() / 1_000);
  if (!policy?.step_up) return nowS;
  return isOlder(nowS - 2 * maxSignInAgeS, policy.session_max_age) ? undefined : nowS - maxSignInAgeS - 1;
}

/** For the tokens of a grant: the shortest age among its companies. An installation has none. */
export async function grantIsOver(db: Database, grantId: string, signedInS: number): Promise<boolean> {
  const grant = await db.global
    .selectFrom('oauth_grants')
    .select('company_ids')
    .where('id', '=', grantId)
    .where('installation_role', 'is', null) // belongs to the company, and outlives the installer's sign-in
    .executeTakeFirst();
  return isOlder(signedInS, shortestAge(await policiesOf(db.global, grant?.company_ids ?? [])));
}

/** Called when a code is issued, which may be for a later sign-in than the consent. @param signedInS seconds since 1970 */
export async function storeSignIn(
  db: Database,
  grantId: string,
  signedInS: number,
  deviceId: string | undefined,
): Promise<void> {
  await db.global
    .updateTable('oauth_grants')
    .set({ signed_in_at: new Date(signedInS * 1_000).toISOString(), device_id: deviceId ?? null })
    .where('id', '=', grantId)
    .execute();
}
