/**
 * Revocation of access tokens (RFC 7009). The library refuses to revoke JWTs because it doesn't store them; here revoking the
 * grant is enough. So a JWT is passed to the library with a prefix, and resolved to its access token.
 */
import type Provider from 'oidc-provider';
import { Problem } from '../../contract/problem.ts';
import type { Verifier } from './verify-token.ts';

const disguise = '~'; // no JWT or refresh token starts with it

/** Makes the revocation endpoint recognize JWTs. */
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
