/** The configuration of oidc-provider. Refresh tokens need `offline_access`, which always asks the user for consent. */

import type { ServerResponse } from 'node:http';
import type { Configuration, ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import * as oidc from 'oidc-provider';
import { type Text, t } from '../../contract/languages/text.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/client.ts';
import { deriveKey } from '../../platform/secrets/secrets.ts';
import { keyAlgorithms } from '../clients/client-keys.ts';
import { consoleClient, isConsole } from '../clients/console-client.ts';
import { allowedBy } from '../clients/page-origins.ts';
import { levelOf, methods } from '../factors/authentication.ts';
import { refreshIdleS, refreshTotalS, sessionLifetimeS } from '../grants/lifetimes.ts';
import { claimsOfUser, personalClaims } from '../grants/personal-claims.ts';
import { requestedIdentityScopes } from '../grants/scopes.ts';
import { isInstallation } from '../installations/installations.ts';
import { proofAlgorithm } from '../tokens/dpop.ts';
import { identityScopes } from '../tokens/openid-scope.ts';
import type { PrivateKey } from '../tokens/signing-keys.ts';
import { appScopes, createAdapter } from './adapter.ts';
import { grantOfConsole } from './console-grant.ts';
import { interactionPolicy, moreParameters, requestedScope, requireRedirectUri, scopesOf } from './policy.ts';

const codeLifetimeS = 60;
const interactionLifetimeS = 3_600;
/** Clients verify it once, on arrival. */
const idTokenLifetimeS = 300;

/** In seconds since 1970. */
const epochS = () => Math.floor(Date.now() / 1_000);

/** An error page for the user of a faulty app. `code` and `detail` are in English, for the app's developers. */
export type ErrorPage = (
  res: ServerResponse,
  notice: { title: Text; advice: Text; code: string; detail?: string | undefined },
) => { html: string; headers: Record<string, string> };

interface ConfigurationOptions {
  config: Config;
  base_url: string;
  db: Database;
  errorPage: ErrorPage;
}

/** @param key the signing key */
export function configuration(options: ConfigurationOptions, key: PrivateKey): Configuration {
  const { config, base_url: baseUrl, db, errorPage } = options;
  return {
    adapter: createAdapter(db, config.encryption_keys),
    jwks: { keys: [key] },
    scopes: [...identityScopes],
    claims: { openid: [...personalClaims], email: [] },
    // Relying parties read the claims from the id_token, whether or not they call the UserInfo endpoint.
    conformIdTokenClaims: false,
    extraClientMetadata: { properties: [appScopes] },
    extraParams: moreParameters,
    responseTypes: ['code'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    enabledJWA: { clientAuthSigningAlgValues: [...keyAlgorithms], dPoPSigningAlgValues: [proofAlgorithm] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientAuthMethod === 'none' && allowedBy(client.redirectUris ?? [])(origin),
    features: features(options),
    extraTokenClaims(ctx, token) {
      const { AuthorizationCode: code } = ctx.oidc.entities;
      // The redirect URI may have been removed from the app since.
      if (code && !ctx.oidc.client!.redirectUriAllowed(code.redirectUri!)) {
        throw new oidc.errors.InvalidGrant('the client no longer has this redirect URI');
      }
      return 'grantId' in token && token.grantId ? claimsOf(ctx, db, token.grantId) : undefined;
    },
    formats: {
      customizers: {
        // The subject of an installation's token is the installation (RFC 9068, section 2.2), not its installer.
        jwt(_ctx, _token, { payload }) {
          const claims = payload as Record<string, unknown>;
          if (claims.installation) claims.sub = claims.grant_id;
        },
      },
    },
    findAccount: async (_ctx, id) => ({
      accountId: id,
      claims: (_use, scope) => claimsOfUser(db, id, new Set(scope.split(' '))),
    }),
    interactions: {
      policy: interactionPolicy(db, baseUrl),
      url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}`,
    },
    async loadExistingGrant(ctx) {
      requireRedirectUri(ctx);
      const grantId = await grantFor(ctx, db, baseUrl);
      return grantId ? ctx.oidc.provider.Grant.find(grantId) : undefined;
    },
    // The console's access ends with the browser's session.
    issueRefreshToken: async (_ctx, { clientId }, code) =>
      clientId === consoleClient.id || code.scopes.has('offline_access'),
    rotateRefreshToken: true,
    expiresWithSession: async (_ctx, code) => code.clientId === consoleClient.id,
    revokeGrantPolicy: () => true,
    ttl: {
      AuthorizationCode: codeLifetimeS,
      AccessToken: config.accessTokenLifetimeS,
      IdToken: idTokenLifetimeS,
      RefreshToken: (ctx, token) => Math.max(1, Math.min(refreshIdleS, remainingS(ctx, token))),
      Grant: refreshTotalS,
      Interaction: interactionLifetimeS,
      Session: (_ctx, { loginTs = epochS() }) => Math.max(1, loginTs + sessionLifetimeS - epochS()),
    },
    cookies: cookies(options),
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
    },
    renderError: (ctx, out) => showError(ctx, out, errorPage),
  };
}

/** The time and methods of the sign-in (RFC 9068, section 2.2.1); for a refreshed token, of the original one. */
function authenticationOf({ oidc }: KoaContextWithOIDC) {
  const { AuthorizationCode, RefreshToken } = oidc.entities;
  const { authTime, amr } = AuthorizationCode ?? RefreshToken ?? {};
  return { auth_time: authTime, acr: levelOf(amr), amr: amr ?? methods.password };
}

/** The remaining lifetime of a refresh token's grant. */
function remainingS({ oidc: { entities } }: KoaContextWithOIDC, token: { totalLifetime(): number }): number {
  const endsS = entities.Grant?.exp;
  return endsS ? endsS - epochS() : refreshTotalS - token.totalLifetime();
}

/** Installations have no sign-in claims. */
async function claimsOf(ctx: KoaContextWithOIDC, db: Database, grantId: string) {
  if (await isInstallation(db, grantId)) return { grant_id: grantId, installation: true };
  // A claim of its own, because `scope` has only the API's scopes.
  const identityScope = requestedIdentityScopes(requestedScope(ctx)).join(' ');
  return { grant_id: grantId, identity_scope: identityScope, ...authenticationOf(ctx) };
}

/** The grant for a sign-in: from the consent just given, or this browser's session. For an installation only the former. */
async function grantFor({ oidc }: KoaContextWithOIDC, db: Database, baseUrl: string): Promise<string | undefined> {
  const { client, session, result, params, provider } = oidc;
  if (result?.consent?.grantId) return result.consent.grantId;
  const known = params!.installation ? undefined : session?.grantIdFor(client!.clientId);
  if (session?.accountId && isConsole(baseUrl, client!.clientId, params)) {
    return grantOfConsole(provider, db, {
      user_id: session.accountId,
      known,
      resource: baseUrl,
      scope: String(params!.scope),
      amr: session.amr,
    });
  }
  return known && !(await isInstallation(db, known)) ? known : undefined;
}

function features({ config, base_url: baseUrl }: ConfigurationOptions): Configuration['features'] {
  const off = { enabled: false };
  return {
    devInteractions: off,
    // The nonce prevents proofs made in advance by an attacker with brief access to the key.
    dPoP: {
      enabled: true,
      nonceSecret: deriveKey(config.encryption_keys[0], 'dpop-nonces'),
      requireNonce: () => true,
    },
    pushedAuthorizationRequests: off,
    rpInitiatedLogout: off,
    userinfo: off,
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => baseUrl,
      getResourceServerInfo(_ctx, resource, client) {
        if (resource !== baseUrl) throw new oidc.errors.InvalidTarget();
        return resourceInfo(config, baseUrl, client);
      },
    },
  };
}

/** The properties of a client's tokens; the API is the only resource. */
export function resourceInfo(config: Config, baseUrl: string, client: oidc.Client): oidc.ResourceServer {
  return {
    scope: scopesOf(client).join(' '),
    audience: baseUrl,
    accessTokenTTL: config.accessTokenLifetimeS,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  };
}

function cookies({ config, base_url: baseUrl }: ConfigurationOptions): Configuration['cookies'] {
  const secure = baseUrl.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const;
  return {
    names: {
      // Browsers accept these prefixes only with the matching attributes (RFC 6265bis, section 4.1.3).
      session: secure ? '__Host-session' : 'oauth_session',
      interaction: secure ? '__Secure-interaction' : 'oauth_interaction',
      resume: secure ? '__Secure-resume' : 'oauth_resume',
    },
    long: cookie,
    short: cookie,
    keys: config.encryption_keys.map((key) => deriveKey(key, 'oauth-cookies').toString('base64url')),
  };
}

/** Users get a page, programs the raw error. */
function showError(ctx: KoaContextWithOIDC, out: ErrorOut, errorPage: ErrorPage): void {
  if (ctx.path !== '/oauth/authorize' && !ctx.path.startsWith('/oauth/authorize/')) {
    ctx.body = out;
    return;
  }
  const unavailable = out.error === 'temporarily_unavailable' || out.error === 'server_error';
  const page = errorPage(ctx.res, {
    title: unavailable ? t`Something went wrong` : t`This request can’t continue`,
    advice: unavailable
      ? t`The problem is on our side. Try again soon.`
      : t`The app that sent you here asked for something we can’t do.`,
    code: out.error,
    detail: out.error_description,
  });
  ctx.set(page.headers);
  ctx.body = page.html;
}
