/**
 * What an installation asks of the admin who allows it. It is access that lasts, with a role of its own: so where the policy of the
 * company has `step_up`, the sign-in behind it is one of the last 15 minutes, and with two factors where the company asks for them. A
 * session that somebody else found open, or stole, is not enough to leave something behind.
 *
 * Ending access asks for nothing of the kind: nobody should have to look for their second factor while somebody reads salaries.
 */
import type { Database } from '../../platform/db/client.ts';
import type { Level } from '../factors/authentication.ts';
import { policiesOf } from '../members/company-policy.ts';
import { lackingOf } from '../members/step-up.ts';
import { activeCompanies } from './consent.ts';

interface SignIn {
  /** Seconds since 1970. */
  auth_time_s: number | undefined;
  level: Level;
}

/**
 * Whether the admin has to sign in again before an app is installed.
 * @param company_ids in which of their companies; any, as long as they have not chosen
 */
export async function isTooOldToInstall(
  db: Database,
  userId: string,
  signIn: SignIn,
  companyIds?: readonly string[],
): Promise<boolean> {
  const companies = await activeCompanies(db, userId);
  const asked = companies.filter(({ id, role }) => role === 'admin' && (companyIds?.includes(id) ?? true));
  const policies = await policiesOf(
    db.global,
    asked.map(({ id }) => id),
  );
  return policies.some((policy) => lackingOf(signIn, { policy }) !== undefined);
}
