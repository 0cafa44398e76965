/**
 * What a company asks of its people when they sign in, and of apps. Its admins set it (`product/companies/change-company.ts`).
 *
 * It is read with a membership and remembered with it (`member.ts`): so no request asks for it, and a change, which is announced as
 * one of everybody's access to the company, counts within a second in every process.
 */
import type { components } from '../../../generated/api.ts';

/** `session_max_age` is in seconds. */
export type CompanyPolicy = components['schemas']['CompanyPolicy'];

const nothing_asked: CompanyPolicy = Object.freeze({
  require_second_factor: false,
  step_up: false,
  session_max_age: null,
  allowed_scopes: null,
});

/** @param stored as the column has it: what was set, as far as something was */
export function policyOf(stored: unknown): CompanyPolicy {
  const { second_factor_since: _, ...set } = stored as StoredPolicy;
  return { ...nothing_asked, ...set };
}

type StoredPolicy = Partial<CompanyPolicy> & { second_factor_since?: string };

/** Since when a second factor is asked for, as the column has it. */
export function secondFactorSince(stored: unknown): string | undefined {
  return (stored as StoredPolicy).second_factor_since;
}
