/** Where this authorization server is stricter or more lenient than the library. */
import type Provider from 'oidc-provider';
import { type Client, errors, type KoaContextWithOIDC, interactionPolicy as library } from 'oidc-provider';
import { languageTags } from '../../contract/languages/language.ts';
import { serviceUnavailable } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import { keyAlgorithms } from '../clients/client-keys.ts';
import { isConsole } from '../clients/console-client.ts';
import type { PageOrigins } from '../clients/page-origins.ts';
import { isReferenceReload } from '../clients/reference-client.ts';
import { levelOf, levels, requiresTwoFactors } from '../factors/authentication.ts';
import { needsStepUp } from '../factors/needs-factor.ts';
import { isTooOldToInstall } from '../grants/installation-sign-in.ts';
import { personalClaims } from '../grants/personal-claims.ts';
import {
  isScope,
  parseScopes,
  readScopes,
  requestedIdentityScopes,
  requestsIdToken,
  scopes,
  supportedScopes,
} from '../grants/scopes.ts';
import { proofAlgorithm } from '../tokens/dpop.ts';
import { emailScope } from '../tokens/openid-scope.ts';
import { appScopes } from './adapter.ts';
import { clientCredentials } from './client-credentials.ts';

/**
 * Users must sign in again if their session has only a password although they now have a second factor, or the app requires two
 * (`acr_values`), or the sign-in is too old. This is checked on each authorization request, so the pages can't be bypassed.
 *
 * Clients without a secret ask for consent each time, because anyone can impersonate one (RFC 8252, section 8.6); other clients
 * only for scopes not yet granted. Exceptions are the console, and the reference after a reload: their redirects only reach the
 * service itself.
 */
export function interactionPolicy(db: Database, baseUrl: string) {
  const { Check, base } = library;
  const policy = base();
  const oneFactor = async ({ oidc: { session, params } }: KoaContextWithOIDC) => {
    const { accountId, amr } = session ?? {};
    if (!accountId || levelOf(amr) === '2fa') return false;
    return requiresTwoFactors(params?.[levelParameter]) || (await needsStepUp(db, accountId, amr));
  };
  const tooOld = ({ oidc: { session, params, result } }: KoaContextWithOIDC) => {
    const seconds = params?.[ageParameter];
    return (
      typeof seconds === 'string' && Boolean(session?.accountId) && !result?.login && session!.past(Number(seconds))
    );
  };
  const installs = async ({ oidc: { session, params, result } }: KoaContextWithOIDC) => {
    if (!params?.installation || !session?.accountId || result?.login) return false;
    const signIn = { auth_time_s: session.authTime(), level: levelOf(session.amr) };
    return isTooOldToInstall(db, session.accountId, signIn);
  };
  const { checks: signIn } = policy.get('login')!;
  signIn.add(new Check('second_factor', 'a second factor is required', 'login_required', oneFactor));
  signIn.add(new Check('age', 'the sign-in is too old', 'login_required', tooOld));
  signIn.add(new Check('installation', 'installing an app requires a new sign-in', 'login_required', installs));
  const { checks } = policy.get('consent')!;
  checks.remove('native_client_prompt');
  const needsConsent = ({ oidc: { client, result, params } }: KoaContextWithOIDC) =>
    client!.clientAuthMethod === 'none' &&
    !result?.consent &&
    !isConsole(baseUrl, client!.clientId, params) &&
    !isReferenceReload(baseUrl, client!.clientId, params);
  checks.add(new Check('public_client', 'public clients require consent', 'consent_required', needsConsent));
  return policy;
}

/**
 * Renamed for the library, which supports these only with OpenID Connect, and would expose the session's `acr`, the password's
 * mark.
 */
export const levelParameter = 'asked_acr_values';
export const ageParameter = 'asked_max_age';

type Query = KoaContextWithOIDC['query'];

function withoutOpenId(query: Query): Query {
  const { acr_values: acrValues, max_age: maxAge, [levelParameter]: _, [ageParameter]: __, ...others } = query;
  const isOpenid = typeof query.scope === 'string' && requestsIdToken(query.scope);
  return {
    ...others,
    ...(acrValues !== undefined && { [levelParameter]: acrValues }),
    ...(maxAge !== undefined && { [isOpenid ? 'max_age' : ageParameter]: maxAge }),
  };
}

/** Validation of parameters beyond the library's. */
export const moreParameters = {
  state: requireState,
  scope: requireKnownScopes,
  installation: requireInstallable,
  [levelParameter]: null,
  [ageParameter](_ctx: KoaContextWithOIDC, seconds: string | undefined) {
    if (seconds !== undefined && !/^\d{1,9}$/.test(seconds))
      throw new errors.InvalidRequest('max_age must be a number');
  },
};

/** Protects against CSRF. OpenID Connect clients may rely on PKCE instead (RFC 9700, section 2.1): Auth.js does by default. */
function requireState({ oidc }: KoaContextWithOIDC, state: string | undefined): void {
  const { scope } = oidc.params ?? {};
  if (state === undefined && typeof scope === 'string' && requestsIdToken(scope)) return;
  if (!state) throw new errors.InvalidRequest('missing required parameter state');
}

/** Only a client that authenticates can be installed. */
function requireInstallable(_ctx: KoaContextWithOIDC, parameter: string | undefined, client: Client): void {
  if (parameter === undefined) return;
  if (parameter !== 'true') throw new errors.InvalidRequest('installation must be true or omitted');
  if (client.clientAuthMethod === 'none') throw new errors.UnauthorizedClient("a public client can't be installed");
}

function requireKnownScopes(_ctx: KoaContextWithOIDC, parameter: string | undefined, client: Client): void {
  if (!parameter) throw new errors.InvalidScope('missing required parameter scope', '');
  const unknown = parameter.split(' ').filter((scope) => !supportedScopes.includes(scope));
  if (unknown.length > 0) throw new errors.InvalidScope('unknown scope requested', unknown.join(' '));
  const alone = parameter.split(' ').includes(emailScope) && !requestsIdToken(parameter);
  if (alone) throw new errors.InvalidScope('this scope requires openid', emailScope);
  const allowed = scopesOf(client);
  const refused = parseScopes(parameter).filter((scope) => !allowed.includes(scope));
  if (refused.length > 0) throw new errors.InvalidScope("the app can't request this scope", refused.join(' '));
}

/** The scopes that a client may request and its tokens may have: all, unless an app was registered for some. */
export function scopesOf(client: Client): string[] {
  const own = client[appScopes] as string[] | undefined;
  return Object.keys(scopes).filter((scope) => !own || own.includes(scope));
}

/** The library checks the redirect URI when a sign-in starts; the client may lose it before the sign-in ends. */
export function requireRedirectUri({ oidc: { client, params } }: KoaContextWithOIDC): void {
  if (!client!.redirectUriAllowed(String(params!.redirect_uri))) throw new errors.InvalidRedirectUri();
}

/** Runs before the library parses an authorization request. */
export async function adjustAuthorizationRequest(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (ctx.path === '/oauth/authorize') {
    const { scope: requested } = ctx.query;
    if (typeof requested === 'string') ctx.query = { ...ctx.query, scope: readScopes(requested) };
    ctx.query = withoutOpenId(ctx.query);
    const { scope, prompt, response_mode: responseMode } = ctx.query;
    // The library drops `offline_access` unless the request asks for the consent page; here it implies the page.
    if (typeof scope === 'string' && parseScopes(scope).includes('offline_access') && !Array.isArray(prompt)) {
      const prompts = new Set(prompt?.split(' ').filter(Boolean));
      if (!prompts.has('none')) ctx.query = { ...ctx.query, prompt: [...prompts.add('consent')].join(' ') };
    }
    // Only the query mode is allowed; the library can't disable others, but an unknown mode is rejected.
    if (responseMode && responseMode !== 'query') ctx.query = { ...ctx.query, response_mode: 'unsupported' };
  }
  await next();
}

/** The scopes of a token request. A refresh may request fewer than the sign-in. */
export function requestedScope({ oidc: { entities, params } }: KoaContextWithOIDC): string {
  const { AuthorizationCode: code, RefreshToken: refresh } = entities;
  return String(params?.scope ?? (code ?? refresh)?.scope ?? '');
}

/** A token's `scope` is what was granted, including `openid` (RFC 6749, section 5.1), which the library omits. */
export async function includeIdentityScopes(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const body = ctx.body as { id_token?: string; scope?: string } | undefined;
  if (ctx.path !== '/oauth/token' || !body?.id_token) return;
  body.scope = [...requestedIdentityScopes(requestedScope(ctx)), ...(body.scope ?? '').split(' ')]
    .filter(Boolean)
    .join(' ');
}

/** Assistants name the resource by the URL that they call (RFC 8707), which is the same API. */
export function resourceOf(requested: string, issuer: string): string {
  return requested === `${issuer}/mcp` || requested === `${issuer}/` ? issuer : requested;
}

/** Drops scopes that the app may not have (RFC 6749, section 3.3): assistants request all scopes in the metadata of `/mcp`. */
export function limitAssistants({ Client, issuer }: Provider) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const { client_id: id, resource, scope } = ctx.query;
    const isOfAssistant = ctx.path === '/oauth/authorize' && resource === `${issuer}/mcp`;
    if (isOfAssistant && typeof id === 'string' && typeof scope === 'string') {
      const client = await Client.find(id).catch(() => undefined); // the library reports a failure
      const allowed = client && scopesOf(client);
      const kept = scope.split(' ').filter((name) => !allowed || !isScope(name) || allowed.includes(name));
      ctx.query = { ...ctx.query, scope: kept.join(' ') };
    }
    await next();
  };
}

export async function adjustResource(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { resource } = ctx.query;
  if (ctx.path === '/oauth/authorize' && typeof resource === 'string')
    ctx.query = { ...ctx.query, resource: resourceOf(resource, ctx.href) };
  await next();
}

/** A revocation response is empty (RFC 7009, section 2.2), and must have no content type, which some clients would parse. */
export async function removeEmptyContentType(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.body === '') ctx.remove('Content-Type');
}

/** Outages look like those of the API. */
export async function addRetryAfter(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.status === 503) ctx.set(serviceUnavailable(undefined).headers);
}

/** Restricts CORS: the library allows every origin until it knows the client, and none after that. */
export function restrictCors(origins: PageOrigins) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    // Public metadata is readable from every page; the library would only name the requesting origin.
    if (metadataPaths.includes(ctx.path) && ctx.get('Origin')) ctx.set('Access-Control-Allow-Origin', '*');
    if (ctx.path !== '/oauth/token' && ctx.path !== '/oauth/revoke') return;
    const origin = ctx.get('Origin');
    if (origin && (await origins.allows(origin))) return;
    ctx.remove('Access-Control-Allow-Origin');
    ctx.remove('Access-Control-Expose-Headers');
  };
}

const metadataPaths = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

/** The metadata (RFC 8414, OpenID Connect Discovery 1.0), the same at both URLs, without unsupported features. */
export async function filterMetadata(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (!metadataPaths.includes(ctx.path) || !ctx.body) return; // none with OPTIONS
  const body = ctx.body as Record<string, unknown>;
  ctx.body = {
    issuer: body.issuer,
    authorization_endpoint: body.authorization_endpoint,
    token_endpoint: body.token_endpoint,
    revocation_endpoint: body.revocation_endpoint,
    jwks_uri: body.jwks_uri,
    scopes_supported: supportedScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', clientCredentials],
    token_endpoint_auth_methods_supported: body.token_endpoint_auth_methods_supported,
    token_endpoint_auth_signing_alg_values_supported: keyAlgorithms,
    revocation_endpoint_auth_methods_supported: body.token_endpoint_auth_methods_supported,
    revocation_endpoint_auth_signing_alg_values_supported: keyAlgorithms,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: [proofAlgorithm],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    userinfo_endpoint: `${body.issuer}/oauth/userinfo`,
    claims_supported: personalClaims,
    acr_values_supported: levels,
    ui_locales_supported: Object.values(languageTags),
    request_uri_parameter_supported: false, // the default would be true
  };
}
