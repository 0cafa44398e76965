/**
 * The authorization server: OAuth 2.0 with the authorization code grant, PKCE for every client, rotating refresh tokens
 * and JWT access tokens (RFC 9068). oidc-provider does the protocol; this file says which part of it is wanted, and
 * mounts it below /oauth.
 *
 * A client that asks for the scope `offline_access` gets a refresh token, and its user is asked for consent each time.
 */
import type { EventEmitter } from 'node:events';
import express, { type RequestHandler, type Router } from 'express';
import * as oidc from 'oidc-provider';
import Provider, { type Configuration } from 'oidc-provider';
import type { Config } from '../config.ts';
import type { Database } from '../db/client.ts';
import type { AccessListener } from '../db/listen.ts';
import { Problem } from '../errors.ts';
import type { Logger } from '../log.ts';
import { deriveKey, sameSecret, secretHash } from '../secrets.ts';
import { createAdapter } from './adapter.ts';
import { formHandler } from './body.ts';
import { interactionRoutes } from './interactions.ts';
import { publicKeys, signingKeys } from './keys.ts';
import { errorPage } from './pages.ts';
import {
  adjustAuthorizationRequest,
  interactionPolicy,
  requireKnownScopes,
  requireState,
  tidyMetadata,
} from './policy.ts';
import { disguiseAccessToken, findAccessTokens } from './revocation.ts';
import { scopes } from './scopes.ts';
import { createVerifier, type Verifier } from './verify.ts';

const day_s = 86_400;
const code_lifetime_s = 60;
const interaction_lifetime_s = 3_600;
const session_lifetime_s = day_s / 2;
const refresh_idle_s = 30 * day_s;
const refresh_total_s = 180 * day_s;

export interface OAuthOptions {
  config: Config;
  /** Public address of the service: issuer and audience of every token. */
  base_url: string;
  db: Database;
  access: AccessListener;
  log?: Logger;
}

export interface OAuth {
  /** /oauth/** and the metadata, to be mounted at the root, before anything reads a body. */
  router: Router;
  /** @throws Problem 401 for a token that is not good; the database's own error when it can't be asked */
  verifyToken: Verifier['verify'];
}

export async function createOAuth({ config, base_url, db, access, log }: OAuthOptions): Promise<OAuth> {
  const provider = new Provider(base_url, await configuration(config, base_url, db));
  // Addresses in answers, and whether cookies are secure, follow the public address, not what a request says.
  const { protocol, host } = new URL(base_url);
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    href: { get: () => base_url },
  });
  provider.Client.prototype.compareClientSecret = function (this: oidc.Client, secret: string) {
    return sameSecret(secretHash(secret), Buffer.from(this.clientSecret!, 'base64url')); // what the adapter put there
  };
  provider.use(adjustAuthorizationRequest);
  provider.use(tidyMetadata);
  if (log) report(provider, log);

  const { verify } = createVerifier({ db, base_url, cache_entries: config.token_cache_entries, access });
  findAccessTokens(provider, verify);
  return { router: routes({ provider, config, base_url, db, log }), verifyToken: verify };
}

async function configuration(config: Config, base_url: string, db: Database): Promise<Configuration> {
  const off = { enabled: false };
  const secure = base_url.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const;
  return {
    adapter: createAdapter(db, config.encryption_key),
    jwks: { keys: await signingKeys(db, config.encryption_key) },
    scopes: [],
    claims: {},
    extraParams: { state: requireState, scope: requireKnownScopes },
    responseTypes: ['code'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientAuthMethod === 'none' &&
      Boolean(client.redirectUris?.some((uri) => URL.parse(uri)?.origin === origin)),
    features: {
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      rpInitiatedLogout: off,
      userinfo: off,
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => base_url,
        getResourceServerInfo(_ctx, resource) {
          if (resource !== base_url) throw new oidc.errors.InvalidTarget();
          return {
            scope: Object.keys(scopes).join(' '),
            audience: base_url,
            accessTokenTTL: config.access_token_lifetime_s,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
    extraTokenClaims: (_ctx, token) => ('grantId' in token ? { grant_id: token.grantId } : undefined),
    findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: {
      policy: interactionPolicy(),
      url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}`,
    },
    async loadExistingGrant(ctx) {
      const { client, session, result } = ctx.oidc;
      const grant_id = result?.consent?.grantId ?? session?.grantIdFor(client!.clientId);
      return grant_id ? ctx.oidc.provider.Grant.find(grant_id) : undefined;
    },
    issueRefreshToken: async (_ctx, _client, code) => code.scopes.has('offline_access'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    ttl: {
      AuthorizationCode: code_lifetime_s,
      AccessToken: config.access_token_lifetime_s,
      RefreshToken: (_ctx, token) => Math.max(1, Math.min(refresh_idle_s, refresh_total_s - token.totalLifetime())),
      Grant: refresh_total_s,
      Interaction: interaction_lifetime_s,
      Session: session_lifetime_s,
    },
    cookies: {
      names: {
        // A browser takes these prefixes only with the attributes they stand for (RFC 6265bis, section 4.1.3).
        session: secure ? '__Host-session' : 'oauth_session',
        interaction: secure ? '__Secure-interaction' : 'oauth_interaction',
        resume: secure ? '__Secure-resume' : 'oauth_resume',
      },
      long: cookie,
      short: cookie,
      keys: [deriveKey(config.encryption_key, 'oauth-cookies').toString('base64url')],
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
    },
    renderError(ctx, out) {
      if (ctx.path !== '/oauth/authorize' && !ctx.path.startsWith('/oauth/authorize/')) {
        ctx.body = out;
        return;
      }
      const unavailable = out.error === 'temporarily_unavailable' || out.error === 'server_error';
      const page = errorPage({
        title: unavailable ? 'Something went wrong' : 'This request can’t go on',
        advice: unavailable
          ? 'It is on our side. Try again soon.'
          : 'The app that sent you here asked for something we can’t do.',
        code: out.error,
        detail: out.error_description,
      });
      ctx.set(page.headers);
      ctx.body = page.html;
    },
  };
}

function report(provider: Provider, log: Logger): void {
  const fault = (error: unknown) => log.error({ err: error }, 'authorization server');
  const outage = (_ctx: unknown, error: oidc.errors.OIDCProviderError) => {
    if (error.status === 503) fault(error.cause);
  };
  (provider as EventEmitter).on('error', fault);
  provider.on('server_error', (_ctx, error) => fault(error));
  provider.on('authorization.error', outage);
  provider.on('grant.error', outage);
  provider.on('revocation.error', outage);
  provider.on('grant.revoked', (ctx, grant_id) => {
    log.info({ grant_id, client_id: ctx.oidc.client?.clientId, endpoint: ctx.path }, 'grant revoked');
  });
}

type RouteOptions = { provider: Provider } & Omit<OAuthOptions, 'access'>;

/** Only these paths reach the library; it has more routes than are wanted. */
function routes({ provider, config, base_url, db, log }: RouteOptions): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  const handle = provider.callback();
  const library: RequestHandler = (req, res) => void handle(req, res);
  const only = (allow: string): RequestHandler => {
    return (req) => {
      throw new Problem(405, 'method_not_allowed', `${req.method} is not possible here.`, {
        headers: { Allow: allow },
      });
    };
  };
  router.use(interactionRoutes({ provider, encryption_key: config.encryption_key, base_url, db, log }));
  router.route('/oauth/authorize').get(library).all(only('GET'));
  router.route('/oauth/authorize/:uid').get(library).all(only('GET'));
  router.route('/oauth/token').post(formHandler(handle)).options(library).all(only('POST'));
  router.route('/oauth/revoke').post(formHandler(handle, disguiseAccessToken)).options(library).all(only('POST'));
  router.route('/.well-known/oauth-authorization-server').get(library).options(library).all(only('GET'));
  router
    .route('/oauth/jwks')
    .get(async (_req, res) => {
      res.set({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' });
      res.type('application/jwk-set+json').send(JSON.stringify({ keys: await publicKeys(db) }));
    })
    .all(only('GET'));
  return router;
}
