/**
 * What a company asks of the sign-in behind a token (RFC 9470): that it was with two factors, and for what is most at stake that it
 * was a short time ago. A refresh makes a token no younger: it says when the person was there.
 */
import { say } from '../../contract/languages/text.ts';
import { insufficientAuthentication } from '../../contract/problem.ts';
import { levels, type StepUp } from '../factors/authentication.ts';
import type { VerifiedToken } from '../tokens/verify-token.ts';
import type { CompanyMember } from './member.ts';

const recentS = 15 * 60;
/** How long people may go on as they are, once their company asks for a second factor. */
const graceMs = 7 * 86_400_000;

/** @throws 401 when the company has asked for two factors for more than seven days, and there was one */
export function requireLevel(
  { level }: VerifiedToken,
  { policy, second_factor_since: secondFactorSince }: CompanyMember,
): void {
  if (level === '2fa' || !policy.require_second_factor) return;
  if (secondFactorSince && Date.parse(secondFactorSince) + graceMs > Date.now()) return;
  const text = say`The company asks for a second factor. Sign in again.`;
  throw insufficientAuthentication(text, { acr_values: '2fa' });
}

/** @returns what is asked for where most is at stake, and this sign-in is not; undefined when it is */
export function lackingOf(
  { auth_time_s: authTimeS, level }: Pick<VerifiedToken, 'auth_time_s' | 'level'>,
  { policy }: Pick<CompanyMember, 'policy'>,
): StepUp | undefined {
  if (!policy.step_up) return undefined;
  const isRecent = authTimeS !== undefined && authTimeS + recentS >= Date.now() / 1_000;
  if (isRecent && (level === '2fa' || !policy.require_second_factor)) return undefined;
  return { acr_values: policy.require_second_factor ? '2fa' : levels.join(' '), max_age: recentS };
}

/** @throws 401 when the sign-in is not what the company asks for where most is at stake */
export function requireStepUp({ lacks }: { lacks?: StepUp | undefined }): void {
  if (!lacks) return;
  const minutes = lacks.max_age / 60;
  const text = say`The company asks for a sign-in of the last ${minutes} minutes for this. Sign in again.`;
  throw insufficientAuthentication(text, { ...lacks });
}
