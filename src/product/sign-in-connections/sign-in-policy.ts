/** How people of each role sign in with a connection: the policy of the role, else that of the connection. */
import type { Selectable } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { SignInConnections } from '../../../generated/db.ts';
import { type Role, roles } from '../../identity/members/member.ts';

type SignInPolicy = components['schemas']['SignInPolicy'];
type SignInByRole = components['schemas']['SignInByRole'];
type Change = components['schemas']['SignInByRoleChange'];

export type StoredPolicy = Pick<Selectable<SignInConnections>, 'sign_in' | 'sign_in_by_role'>;

export function policyOfRole({ sign_in: signIn, sign_in_by_role: stored }: StoredPolicy, role: Role): SignInPolicy {
  return (stored as Change)[role] ?? (signIn as SignInPolicy);
}

export function byRole(stored: StoredPolicy['sign_in_by_role']): SignInByRole {
  return { admin: null, manager: null, employee: null, ...(stored as Change) };
}

/**
 * Whether addresses of a proven domain lead straight to the provider. The sign-in page doesn't know the role of an address, and
 * mustn't reveal it, so the answer is the same for all.
 */
export function leadsToProvider(stored: StoredPolicy): boolean {
  return roles.some((role) => policyOfRole(stored, role) !== 'any');
}

/** @returns the JSON of the column */
export function mergedByRole(stored: StoredPolicy['sign_in_by_role'], change: Change | undefined): string {
  const merged = Object.entries({ ...byRole(stored), ...change });
  return JSON.stringify(Object.fromEntries(merged.filter(([, policy]) => policy !== null)));
}
