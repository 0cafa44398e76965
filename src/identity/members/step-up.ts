/** Enforces a company's sign-in requirements (RFC 9470): two factors, and for sensitive operations a recent sign-in. */
import { t } from '../../contract/languages/text.ts';
import { insufficientAuthentication } from '../../contract/problem.ts';
import { levels, type StepUp } from '../factors/authentication.ts';
import type { VerifiedToken } from '../tokens/verify-token.ts';
import type { CompanyMember } from './member.ts';

export const maxSignInAgeS = 15 * 60;
/** The grace period after a company starts to require a second factor. */
const graceMs = 7 * 86_400_000;

/** @throws 401 when the company requires two factors, the grace period is over, and the sign-in had one */
export function requireLevel(
  { level }: VerifiedToken,
  { policy, second_factor_since: secondFactorSince }: CompanyMember,
): void {
  if (level === '2fa' || !policy.require_second_factor) return;
  if (secondFactorSince && Date.parse(secondFactorSince) + graceMs > Date.now()) return;
  const text = t`The company requires a second factor. Sign in again.`;
  throw insufficientAuthentication(text, { acr_values: '2fa' });
}

/** @returns the unmet requirements for sensitive operations; undefined if all are met */
export function unmetStepUp(
  { auth_time_s: authTimeS, level }: Pick<VerifiedToken, 'auth_time_s' | 'level'>,
  { policy }: Pick<CompanyMember, 'policy'>,
): StepUp | undefined {
  if (!policy.step_up) return undefined;
  const isRecent = authTimeS !== undefined && authTimeS + maxSignInAgeS >= Date.now() / 1_000;
  if (isRecent && (level === '2fa' || !policy.require_second_factor)) return undefined;
  return { acr_values: policy.require_second_factor ? '2fa' : levels.join(' '), max_age: maxSignInAgeS };
}

/** @throws 401 when the sign-in doesn't meet the requirements for sensitive operations */
export function requireStepUp({ lacks }: { lacks?: StepUp | undefined }): void {
  if (!lacks) return;
  const minutes = lacks.max_age / 60;
  const text = t`The company asks for a sign-in of the last ${minutes} minutes for this. Sign in again.`;
  throw insufficientAuthentication(text, { ...lacks });
}
