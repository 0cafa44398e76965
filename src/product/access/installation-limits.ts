/**
 * What an installation may not do, whatever its role: nobody signs in for it, and its secret is known to people whose role may be
 * another by now. So it makes nobody an admin, and decides nothing about the person who installed it.
 */
import { say, type Text } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { installerOf } from '../../identity/installations/installations.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { CollaboratorRow } from './records.ts';

export interface InstallationLimits {
  /** The user who installed it. */
  installer: string;
}

/** What is to become of somebody. */
interface Change {
  role?: string | undefined;
  /** Also that they are deleted, or brought back. */
  status?: string | undefined;
  email?: string | undefined;
  termination_date?: string | null | undefined;
}

type Person = Pick<CollaboratorRow, 'user_id' | 'role' | 'status' | 'deleted_at'>;

/** @returns undefined for people, and for the operator @param user_id of whoever asks */
export async function limitsOf(tenant: Tenant, user_id: string | null): Promise<InstallationLimits | undefined> {
  const installer = await installerOf(tenant, user_id);
  return installer === undefined ? undefined : { installer };
}

/** @returns why the change is not for an installation; undefined when it may be made */
export function limitedBy(
  limits: InstallationLimits | undefined,
  person: Person,
  { role, status, email, termination_date }: Change,
): Text | undefined {
  if (!limits) return undefined;
  const is_back = status === 'active' && (person.status !== 'active' || person.deleted_at !== null);
  const becomes_admin = role === 'admin' || (is_back && person.role === 'admin' && person.user_id !== null);
  if (becomes_admin) return say`An app that is installed can not make anybody an admin.`;
  // Whoever accepts the invitation is an admin then.
  if (email !== undefined && person.role === 'admin' && person.user_id === null)
    return say`An app that is installed can not change where an admin is invited.`;
  const is_installer = person.user_id === limits.installer;
  if (is_installer && (role !== undefined || status !== undefined || termination_date !== undefined))
    return say`An app that is installed can not change the role or the status of the person who installed it.`;
  return undefined;
}

/** @throws 403 for what `limitedBy` says */
export function requireWithinLimits(limits: InstallationLimits | undefined, person: Person, change: Change): void {
  const why = limitedBy(limits, person, change);
  if (why) throw beyondLimits(why);
}

export function beyondLimits(why: Text): Problem {
  return new Problem(403, 'forbidden', why, { details: { reason: 'not_for_installations' } });
}
