/**
 * Revocation of access tokens (RFC 7009). The library refuses to revoke JWTs because it doesn't store them; here revoking the
 * grant is enough. So a JWT is passed to the library with a prefix, and resolved to its access token.
 */
import { createLocalJWKSet, jwtVerify } from 'jose';
import type Provider from 'oidc-provider';
import { Problem } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import { claimsBinding, proofAlgorithm } from './dpop.ts';
import { publicKeys } from './signing-keys.ts';
import type { Verifier } from './verify-token.ts';

const disguise = '~'; // no JWT or refresh token starts with it

/** Makes JWTs known to the revocation endpoint. */
export function enableJwtRevocation(provider: Provider, db: Database, verify: Verifier['verify']): void {
  const { AccessToken } = provider;
  AccessToken.find = (async (value: string) => {
    if (!value.startsWith(disguise)) return undefined;
    const token = value.slice(disguise.length);
    if (claimsBinding(token)) {
      const bound = await boundToken(db, token, provider.issuer);
      return bound && new AccessToken({ kind: 'AccessToken', jti: bound.grantId, ...bound } as never);
    }
    try {
      const { user_id: accountId, client_id: clientId, grant_id: grantId } = await verify(token);
      return new AccessToken({ kind: 'AccessToken', jti: grantId, accountId, clientId, grantId } as never);
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return undefined; // nothing to revoke: RFC 7009, section 2.2
      throw error;
    }
  }) as typeof AccessToken.find;
}

/** Revoking a bound token needs no proof: the client authenticates, and the token must be its own. */
async function boundToken(db: Database, token: string, issuer: string) {
  const keys = createLocalJWKSet({ keys: await publicKeys(db) });
  const expected = { issuer, audience: issuer, typ: 'at+jwt', algorithms: [proofAlgorithm] };
  const verified = await jwtVerify(token, keys, expected).catch(() => undefined);
  if (!verified) return undefined;
  const { sub: accountId, client_id: clientId, grant_id: grantId } = verified.payload;
  return { accountId, clientId, grantId };
}

export function prefixAccessToken(form: URLSearchParams): void {
  const token = form.get('token');
  if (token?.startsWith('eyJ')) form.set('token', disguise + token);
}
