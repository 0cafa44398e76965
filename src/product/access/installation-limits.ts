/**
 * Limits of installations, whatever their role: no one signs in for them, and people whose role has changed may still know their
 * secret. So they can't create admins, or decide about the person who installed them.
 */
import { type Text, t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { installerOf } from '../../identity/installations/installations.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { CollaboratorRow } from './records.ts';

export interface InstallationLimits {
  installer: string;
}

interface Change {
  role?: string | undefined;
  /** Also for deleting and restoring. */
  status?: string | undefined;
  email?: string | undefined;
  termination_date?: string | null | undefined;
}

type Person = Pick<CollaboratorRow, 'user_id' | 'role' | 'status' | 'deleted_at'>;

/** @returns undefined for people, and for the operator @param userId of the caller */
export async function limitsOf(tenant: Tenant, userId: string | null): Promise<InstallationLimits | undefined> {
  const installer = await installerOf(tenant, userId);
  return installer === undefined ? undefined : { installer };
}

export function limitViolation(
  limits: InstallationLimits | undefined,
  person: Person,
  { role, status, email, termination_date: terminationDate }: Change,
): Text | undefined {
  if (!limits) return undefined;
  const becomesActive = status === 'active' && (person.status !== 'active' || person.deleted_at !== null);
  const becomesAdmin = role === 'admin' || (becomesActive && person.role === 'admin' && person.user_id !== null);
  if (becomesAdmin) return t`An installed app can't make anyone an admin.`;
  // The person who accepts the invitation becomes an admin.
  if (email !== undefined && person.role === 'admin' && person.user_id === null)
    return t`An installed app can't change the address that an admin is invited at.`;
  const isInstaller = person.user_id === limits.installer;
  if (isInstaller && (role !== undefined || status !== undefined || terminationDate !== undefined))
    return t`An installed app can't change the role or the status of the person who installed it.`;
  return undefined;
}

export function requireWithinLimits(limits: InstallationLimits | undefined, person: Person, change: Change): void {
  const reason = limitViolation(limits, person, change);
  if (reason) throw beyondLimits(reason);
}

export function beyondLimits(reason: Text): Problem {
  return new Problem(403, 'forbidden', reason, { details: { reason: 'not_for_installations' } });
}
