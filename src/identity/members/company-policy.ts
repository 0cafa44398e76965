/**
 * What a company asks of its people when they sign in, and of apps. Its admins set it (`product/companies/change-company.ts`).
 *
 * It is read with a membership and remembered with it (`member.ts`): so no request asks for it, and a change, which is announced as
 * one of everybody's access to the company, counts within a second in every process.
 */
import type { QueryCreator } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';

/** `session_max_age` is in seconds. */
export type CompanyPolicy = components['schemas']['CompanyPolicy'];

/** Also of an installation: nobody signs in for it. */
export const nothingAsked: CompanyPolicy = Object.freeze({
  require_second_factor: false,
  step_up: false,
  session_max_age: null,
  allowed_scopes: null,
  assistants: 'read',
  directory_visibility: 'none',
});

/** @param stored as the column has it: what was set, as far as something was */
export function policyOf(stored: unknown): CompanyPolicy {
  const { second_factor_since: _, connection_only: __, ...set } = stored as StoredPolicy;
  return { ...nothingAsked, ...set };
}

type StoredPolicy = Partial<CompanyPolicy> & { second_factor_since?: string; connection_only?: boolean };

/** Since when a second factor is asked for, as the column has it. */
export function secondFactorSince(stored: unknown): string | undefined {
  return (stored as StoredPolicy).second_factor_since;
}

/** Whether the company's identity provider is the only way in (`product/sign-in-connections`), as the column has it. */
export function isConnectionOnly(stored: unknown): boolean {
  return (stored as StoredPolicy).connection_only === true;
}

/** The policies of some companies, for what concerns an account and no company alone. */
export async function policiesOf(
  db: QueryCreator<GlobalTables>,
  companyIds: readonly string[],
): Promise<CompanyPolicy[]> {
  if (companyIds.length === 0) return [];
  const rows = await db.selectFrom('companies').select('policy').where('id', 'in', companyIds).execute();
  return rows.map(({ policy }) => policyOf(policy));
}

/** How long after a sign-in it counts for all of these companies, in seconds; undefined where none sets a limit. */
export function shortestAge(policies: readonly CompanyPolicy[]): number | undefined {
  const ages = policies.flatMap(({ session_max_age: sessionMaxAge }) => sessionMaxAge ?? []);
  return ages.length > 0 ? Math.min(...ages) : undefined;
}
