/**
 * A company's requirements for sign-ins and apps. Admins set them (`product/companies/change-company.ts`).
 *
 * They are loaded and cached with a membership (`member.ts`), so requests don't query them. A change is announced as a change of
 * everybody's access to the company, and applies in every process within a second.
 */
import type { QueryCreator } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';

/** `session_max_age` is in seconds. */
export type CompanyPolicy = components['schemas']['CompanyPolicy'];

/** Also for installations, which don't sign in. */
export const defaultPolicy: CompanyPolicy = Object.freeze({
  require_second_factor: false,
  step_up: false,
  session_max_age: null,
  allowed_scopes: null,
  assistants: 'read',
  directory_visibility: 'none',
});

/** @param stored the column's value, with only the settings that were changed */
export function policyOf(stored: unknown): CompanyPolicy {
  const { second_factor_since: _, connection_only: __, ...set } = stored as StoredPolicy;
  return { ...defaultPolicy, ...set };
}

type StoredPolicy = Partial<CompanyPolicy> & { second_factor_since?: string; connection_only?: string[] };

/** Since when a second factor is required. */
export function secondFactorSince(stored: unknown): string | undefined {
  return (stored as StoredPolicy).second_factor_since;
}

/** Whether the company's identity provider is the only way to sign in for a role (`product/sign-in-connections`). */
export function isConnectionOnly(stored: unknown, role: string): boolean {
  return connectionOnlyRoles(stored).includes(role);
}

export function connectionOnlyRoles(stored: unknown): readonly string[] {
  return (stored as StoredPolicy).connection_only ?? [];
}

export async function policiesOf(
  db: QueryCreator<GlobalTables>,
  companyIds: readonly string[],
): Promise<CompanyPolicy[]> {
  if (companyIds.length === 0) return [];
  const rows = await db.selectFrom('companies').select('policy').where('id', 'in', companyIds).execute();
  return rows.map(({ policy }) => policyOf(policy));
}

/** The shortest limit of these companies, in seconds; undefined if none has one. */
export function shortestAge(policies: readonly CompanyPolicy[]): number | undefined {
  const ages = policies.flatMap(({ session_max_age: sessionMaxAge }) => sessionMaxAge ?? []);
  return ages.length > 0 ? Math.min(...ages) : undefined;
}
