/**
 * How long a sign-in counts, where companies limit it (`session_max_age` of their policy). Then the session of the browser ends, and
 * a refresh token gives nothing any more; an access token is refused by the company that asks (`api/http/steps/enter-company.ts`).
 *
 * The policy is looked at whenever a sign-in is used, and stands in no token: so a shorter age counts at once for those who are
 * signed in.
 */
import type { Database } from '../../platform/db/client.ts';
import { policiesOf, shortestAge } from '../members/company-policy.ts';
import { activeCompanies } from './consent.ts';

/** @param signedInS seconds since 1970 */
export function isOlder(signedInS: number, ageS: number | null | undefined): boolean {
  return typeof ageS === 'number' && signedInS + ageS <= Date.now() / 1_000;
}

/** For a session, which opens all companies of a person: the shortest age of those where they are active. */
export async function sessionIsOver(db: Database, userId: string, signedInS: number): Promise<boolean> {
  const rows = await db.global.selectFrom('memberships').select('company_id').where('user_id', '=', userId).execute();
  const shortest = shortestAge(
    await policiesOf(
      db.global,
      rows.map(({ company_id: companyId }) => companyId),
    ),
  );
  if (!isOlder(signedInS, shortest)) return false;
  // One of them may have let the person go.
  const active = await activeCompanies(db, userId);
  const policies = await policiesOf(
    db.global,
    active.map(({ id }) => id),
  );
  return isOlder(signedInS, shortestAge(policies));
}

/** For the tokens of a grant: the shortest age of the companies it is for. An installation outlives every sign-in. */
export async function grantIsOver(db: Database, grantId: string, signedInS: number): Promise<boolean> {
  const grant = await db.global
    .selectFrom('oauth_grants')
    .select('company_ids')
    .where('id', '=', grantId)
    .where('installation_role', 'is', null) // it is the company's, and outlives whoever signed in for it
    .executeTakeFirst();
  return isOlder(signedInS, shortestAge(await policiesOf(db.global, grant?.company_ids ?? [])));
}

/**
 * Called when a code is given, which may be a later sign-in than the consent.
 * @param signedInS seconds since 1970
 * @param device_id where it was
 */
export async function rememberSignIn(
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
