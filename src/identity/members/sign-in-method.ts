/** Access if the identity provider is the only way in. Admins with a passkey get in too, in case of an outage of the provider. */
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { VerifiedToken } from '../tokens/verify-token.ts';
import type { CompanyMember } from './member.ts';

/** @throws 403 for any other kind of sign-in */
export function requireSignInMethod(
  caller: Pick<VerifiedToken, 'isOfProvider' | 'hasPasskey'>,
  member: Pick<CompanyMember, 'isConnectionOnly' | 'role'>,
): void {
  if (!member.isConnectionOnly || caller.isOfProvider || (caller.hasPasskey && member.role === 'admin')) return;
  const text = t`Your company signs people in with its own provider. Sign in with your company.`;
  throw new Problem(403, 'company_access_denied', text);
}
