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
import type { Claims } from './claims.ts';
import type { OidcConnection } from './connection-at-sign-in.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { type Logout, verifyLogoutToken } from './logout-token.ts';

export interface Asked {
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
    asked: Asked,
    more: { login_hint?: string | undefined; again?: boolean },
  ): Promise<string>;
  /** @throws for an invalid response, or one to another request */
  claimsOf(connection: OidcConnection, asked: Asked, response: URL): Promise<Claims>;
  /** @throws for an invalid logout token */
  logoutOf(connection: OidcConnection, token: string): Promise<Logout>;
}

/** Cache lifetime of metadata, which also limits requests that visitors of the sign-in page can cause. */
const metadataMs = 300_000;
const maxRemembered = 1_000;
/** Of the provider's ids of sessions, which travel in sealed links. */
const maxSid = 255;

export function createIdentityProviders(settings: { allow_private: boolean }): IdentityProviders {
  const guardedFetch = createGuardedFetch(settings);
  const options = optionsOf(guardedFetch, settings.allow_private);
  const known = new Map<string, Known>();

  const knownOf = async ({ issuer }: OidcConnection): Promise<Known> => {
    const found = known.get(issuer);
    if (found && found.until > Date.now()) return found;
    const address = new URL(issuer);
    const server = await oauth.processDiscoveryResponse(
      address,
      await oauth.discoveryRequest(address, { ...options, algorithm: 'oidc' }),
    );
    known.delete(issuer);
    if (known.size >= maxRemembered) known.delete(known.keys().next().value!);
    const loaded = { server, until: Date.now() + metadataMs, keys: keysOf(server, guardedFetch) };
    known.set(issuer, loaded);
    return loaded;
  };

  return {
    async addressOf(connection, asked, { login_hint: loginHint, again = false }) {
      const { server } = await knownOf(connection);
      const address = new URL(server.authorization_endpoint ?? '');
      if (address.protocol !== 'https:' && !(settings.allow_private && address.protocol === 'http:')) {
        throw new Error('the authorization endpoint is not https');
      }
      const parameters = {
        response_type: 'code',
        client_id: connection.client_id,
        redirect_uri: asked.redirect_uri,
        scope: 'openid profile email',
        state: asked.state,
        nonce: asked.nonce,
        code_challenge: createHash('sha256').update(asked.verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(loginHint && { login_hint: loginHint }),
        ...(again && { prompt: 'login' }),
        ...(asked.max_age !== undefined && { max_age: String(asked.max_age) }),
      };
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
      return address.href;
    },
    async claimsOf(connection, asked, response) {
      const { server } = await knownOf(connection);
      const client: oauth.Client = { client_id: connection.client_id };
      const parameters = oauth.validateAuthResponse(server, client, response, asked.state);
      const authentication = await authenticationAt(server, connection);
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        asked.redirect_uri,
        asked.verifier,
        options,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
        expectedNonce: asked.nonce,
        requireIdToken: true,
        ...(asked.max_age !== undefined && { maxAge: asked.max_age }),
      });
      await oauth.validateApplicationLevelSignature(server, answer, options);
      const claims = oauth.getValidatedIdTokenClaims(tokens)!;
      const { sid, ...others } = claims;
      return { ...others, sid: typeof sid === 'string' && sid.length <= maxSid ? sid : undefined, shown: claims };
    },
    async logoutOf(connection, token) {
      const { keys } = await knownOf(connection);
      return verifyLogoutToken(token, { ...connection, keys });
    },
  };
}

interface Known {
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
