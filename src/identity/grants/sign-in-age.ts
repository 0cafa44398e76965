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

/** @param signed_in_s seconds since 1970 */
export function isOlder(signed_in_s: number, age_s: number | null | undefined): boolean {
  return typeof age_s === 'number' && signed_in_s + age_s <= Date.now() / 1_000;
}

/** For a session, which opens all companies of a person: the shortest age of those where they are active. */
export async function sessionIsOver(db: Database, user_id: string, signed_in_s: number): Promise<boolean> {
  const rows = await db.global.selectFrom('memberships').select('company_id').where('user_id', '=', user_id).execute();
  const shortest = shortestAge(
    await policiesOf(
      db.global,
      rows.map(({ company_id }) => company_id),
    ),
  );
  if (!isOlder(signed_in_s, shortest)) return false;
  // One of them may have let the person go.
  const active = await activeCompanies(db, user_id);
  const policies = await policiesOf(
    db.global,
    active.map(({ id }) => id),
  );
  return isOlder(signed_in_s, shortestAge(policies));
}

/** For the tokens of a grant: the shortest age of the companies it is for. An installation outlives every sign-in. */
export async function grantIsOver(db: Database, grant_id: string, signed_in_s: number): Promise<boolean> {
  const grant = await db.global
    .selectFrom('oauth_grants')
    .select('company_ids')
    .where('id', '=', grant_id)
    .where('installation_role', 'is', null) // it is the company's, and outlives whoever signed in for it
    .executeTakeFirst();
  return isOlder(signed_in_s, shortestAge(await policiesOf(db.global, grant?.company_ids ?? [])));
}

/**
 * Called when a code is given, which may be a later sign-in than the consent.
 * @param signed_in_s seconds since 1970
 * @param device_id where it was
 */
export async function rememberSignIn(
  db: Database,
  grant_id: string,
  signed_in_s: number,
  device_id: string | undefined,
): Promise<void> {
  await db.global
    .updateTable('oauth_grants')
    .set({ signed_in_at: new Date(signed_in_s * 1_000).toISOString(), device_id: device_id ?? null })
    .where('id', '=', grant_id)
    .execute();
}
