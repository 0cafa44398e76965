/**
 * OpenID Connect with a company's identity provider, by oauth4webapi: authorization code flow with PKCE, nonce, and issuer check
 * (RFC 9207).
 */
import { createHash } from 'node:crypto';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type FetchImplementation,
  type JWTVerifyGetKey,
} from 'jose';
import * as oauth from 'oauth4webapi';
import { sessionLifetimeS } from '../../identity/grants/lifetimes.ts';
import type { Claims } from './claims.ts';
import type { OidcConnection } from './connection-at-sign-in.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { type Logout, skewS, verifyLogoutToken } from './logout-token.ts';

export interface AuthorizationRequest {
  redirect_uri: string;
  state: string;
  nonce: string;
  verifier: string;
  /** Maximum age of the provider's authentication in seconds; undefined if any session suffices. */
  max_age?: number | undefined;
}

export interface IdentityProviders {
  /** @returns the address to redirect to @throws if the provider can't be reached */
  addressOf(
    connection: OidcConnection,
    request: AuthorizationRequest,
    more: { login_hint?: string | undefined; again?: boolean },
  ): Promise<string>;
  /** @throws for an invalid response, or one to another request */
  claimsOf(connection: OidcConnection, request: AuthorizationRequest, response: URL): Promise<Claims>;
  /** @throws for an invalid logout token */
  logoutOf(connection: OidcConnection, token: string): Promise<Logout>;
}

/** Cache lifetime of metadata, which also limits requests that visitors of the sign-in page can cause. */
const metadataMs = 300_000;
const maxCached = 1_000;
/** Of the provider's ids of sessions, which travel in sealed links. */
const maxSid = 255;
/** OpenID Connect allows 255; longer ones don't fit in an index. */
const maxSub = 512;

export function createIdentityProviders(settings: { allow_private: boolean }): IdentityProviders {
  const guardedFetch = createGuardedFetch(settings);
  const options = optionsOf(guardedFetch, settings.allow_private);
  const cache = new Map<string, ProviderMetadata>();

  const metadataOf = async ({ issuer }: OidcConnection): Promise<ProviderMetadata> => {
    const found = cache.get(issuer);
    if (found && found.until > Date.now()) return found;
    const address = new URL(issuer);
    const server = await oauth.processDiscoveryResponse(
      address,
      await oauth.discoveryRequest(address, { ...options, algorithm: 'oidc' }),
    );
    cache.delete(issuer);
    if (cache.size >= maxCached) cache.delete(cache.keys().next().value!);
    const loaded = { server, until: Date.now() + metadataMs, keys: keysOf(server, guardedFetch) };
    cache.set(issuer, loaded);
    return loaded;
  };

  return {
    async addressOf(connection, request, { login_hint: loginHint, again: reauthenticate = false }) {
      const { server } = await metadataOf(connection);
      const address = new URL(server.authorization_endpoint ?? '');
      if (address.protocol !== 'https:' && !(settings.allow_private && address.protocol === 'http:')) {
        throw new Error('the authorization endpoint is not https');
      }
      // Without a maximum age, providers may omit `auth_time`.
      const maxAge = request.max_age ?? (connection.trusts_provider ? sessionLifetimeS : undefined);
      const parameters = {
        response_type: 'code',
        client_id: connection.client_id,
        redirect_uri: request.redirect_uri,
        scope: 'openid profile email',
        state: request.state,
        nonce: request.nonce,
        code_challenge: createHash('sha256').update(request.verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(loginHint && { login_hint: loginHint }),
        ...(reauthenticate && { prompt: 'login' }),
        ...(maxAge !== undefined && { max_age: String(maxAge) }),
      };
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
      return address.href;
    },
    async claimsOf(connection, request, response) {
      const { server } = await metadataOf(connection);
      const client: oauth.Client = { client_id: connection.client_id };
      const parameters = oauth.validateAuthResponse(server, client, response, request.state);
      const authentication = await authenticationAt(server, connection);
      const tokenResponse = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        request.redirect_uri,
        request.verifier,
        options,
      );
      const tokens = await oauth
        .processAuthorizationCodeResponse(server, client, tokenResponse, {
          expectedNonce: request.nonce,
          requireIdToken: true,
          ...(request.max_age !== undefined && { maxAge: request.max_age }),
        })
        .catch(explained);
      await oauth.validateApplicationLevelSignature(server, tokenResponse, options);
      const claims = oauth.getValidatedIdTokenClaims(tokens)!;
      if (claims.sub.length > maxSub || claims.sub.includes('\0')) {
        throw new Error(`the claim sub has more than ${maxSub} characters, or a NUL`);
      }
      const { sid, auth_time: authTime, ...others } = claims;
      // Some providers send milliseconds.
      const isFuture = authTime !== undefined && authTime > Date.now() / 1_000 + skewS;
      if (isFuture && request.max_age !== undefined) throw new Error('the claim auth_time is in the future');
      return {
        ...others,
        auth_time: isFuture ? undefined : authTime,
        sid: typeof sid === 'string' && sid.length <= maxSid ? sid : undefined,
        shown: claims,
      };
    },
    async logoutOf(connection, token) {
      const { keys } = await metadataOf(connection);
      return verifyLogoutToken(token, { ...connection, keys });
    },
  };
}

interface ProviderMetadata {
  server: oauth.AuthorizationServer;
  until: number;
  keys: JWTVerifyGetKey;
}

/** Reads the provider's keys when they are first needed, and again for an unknown key, at most every 30 seconds. */
function keysOf({ jwks_uri: uri = '' }: oauth.AuthorizationServer, fetch: GuardedFetch): JWTVerifyGetKey {
  const read: FetchImplementation = (url, { headers }) => fetch(url, { headers: Object.fromEntries(headers) });
  return URL.canParse(uri)
    ? createRemoteJWKSet(new URL(uri), { [customFetch]: read })
    : createLocalJWKSet({ keys: [] });
}

/** Names what an admin can correct. */
function explained(error: unknown): never {
  if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error;
  const text = 'the provider refused the client ID or the client secret, which may have expired, or the key';
  throw new Error(text, { cause: error });
}

async function authenticationAt(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: oauth.AuthorizationServer,
  { credential }: OidcConnection,
): Promise<oauth.ClientAuth> {
  if (typeof credential !== 'string') {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const key = await crypto.subtle.importKey('jwk', credential.jwk, algorithm, false, ['sign']);
    return oauth.PrivateKeyJwt({ key, kid: credential.kid });
  }
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(credential)
    : oauth.ClientSecretPost(credential);
}

function optionsOf(fetch: GuardedFetch, allowPrivate: boolean) {
  return {
    [oauth.customFetch]: fetch as never,
    [oauth.allowInsecureRequests]: allowPrivate,
  };
}
