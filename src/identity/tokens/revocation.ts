/**
 * Revocation (RFC 7009) of access tokens. The library refuses to revoke JWTs because it does not store them; ours can
 * be revoked, because each is refused when its grant has ended. So a JWT is passed to the library with a prefix, and
 * found as the access token that it is.
 */
import type Provider from 'oidc-provider';
import { Problem } from '../../contract/problem.ts';
import type { Verifier } from './verify-token.ts';

const disguise = '~'; // no JWT and no refresh token starts with it

/** Makes JWTs known to the revocation endpoint. */
export function findAccessTokens(provider: Provider, verify: Verifier['verify']): void {
  const { AccessToken } = provider;
  AccessToken.find = (async (value: string) => {
    if (!value.startsWith(disguise)) return undefined;
    try {
      const { user_id: accountId, client_id: clientId, grant_id: grantId } = await verify(value.slice(disguise.length));
      return new AccessToken({ kind: 'AccessToken', jti: grantId, accountId, clientId, grantId } as never);
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return undefined; // nothing to revoke: RFC 7009, section 2.2
      throw error;
    }
  }) as typeof AccessToken.find;
}

export function disguiseAccessToken(form: URLSearchParams): void {
  const token = form.get('token');
  if (token?.startsWith('eyJ')) form.set('token', disguise + token);
}
