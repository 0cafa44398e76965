/**
 * The sign-in requirements for installing an app. An installation is lasting access with its own role, so if the company's policy
 * has `step_up`, the admin must have signed in within 15 minutes, with two factors if the company requires them. A stolen or
 * unattended session must not be enough to leave a backdoor.
 *
 * Revoking access has no such requirement: it must be fast during an incident.
 */
import type { Database } from '../../platform/db/client.ts';
import type { Level } from '../factors/authentication.ts';
import { policiesOf } from '../members/company-policy.ts';
import { unmetStepUp } from '../members/step-up.ts';
import { activeCompanies } from './consent.ts';

interface SignIn {
  /** Seconds since 1970. */
  auth_time_s: number | undefined;
  level: Level;
}

/** Whether the admin must sign in again. @param companyIds the chosen companies; undefined means any of the user's */
export async function isTooOldToInstall(
  db: Database,
  userId: string,
  signIn: SignIn,
  companyIds?: readonly string[],
): Promise<boolean> {
  const companies = await activeCompanies(db, userId);
  const eligible = companies.filter(({ id, role }) => role === 'admin' && (companyIds?.includes(id) ?? true));
  const policies = await policiesOf(
    db.global,
    eligible.map(({ id }) => id),
  );
  return policies.some((policy) => unmetStepUp(signIn, { policy }) !== undefined);
}
