/**
 * Access to a company whose identity provider is the only way to sign in. Admins with a passkey on their own account get in too,
 * so that an outage of the provider doesn't lock the company out.
 */
import { say } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { VerifiedToken } from '../tokens/verify-token.ts';
import type { CompanyMember } from './member.ts';

/** @throws 403 for any other kind of sign-in */
export function requireWayIn(
  caller: Pick<VerifiedToken, 'isOfProvider' | 'hasPasskey'>,
  member: Pick<CompanyMember, 'isConnectionOnly' | 'role'>,
): void {
  if (!member.isConnectionOnly || caller.isOfProvider || (caller.hasPasskey && member.role === 'admin')) return;
  const text = say`Your company signs people in with its own provider. Sign in with your company.`;
  throw new Problem(403, 'company_access_denied', text);
}
