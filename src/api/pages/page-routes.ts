/** Routes to oidc-provider, which has more routes than we expose, and to our own pages beside it. */
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { readScopes } from '../../identity/grants/scopes.ts';
import { resourceOf } from '../../identity/provider/policy.ts';
import { prefixAccessToken } from '../../identity/tokens/revocation.ts';
import { publicKeys } from '../../identity/tokens/signing-keys.ts';
import type { Verifier } from '../../identity/tokens/verify-token.ts';
import { requireUtf8Query } from '../http/body/utf8.ts';
import { accountAppPages } from './account/account-apps.ts';
import { accountCompanyPages } from './account/account-companies.ts';
import { accountDetailPages } from './account/account-details.ts';
import { accountDevicePages } from './account/account-devices.ts';
import { accountPages } from './account/account-pages.ts';
import { factorPages } from './account/factor-pages.ts';
import { signOutPages } from './account/sign-out.ts';
import { connectionPages } from './connection-pages.ts';
import { linkAccountPages } from './link-account-pages.ts';
import { addressPages } from './links/address-pages.ts';
import { installationPages } from './links/installation-pages.ts';
import { invitationPages } from './links/invitation-pages.ts';
import { resetPages } from './links/reset-pages.ts';
import { logoutPath, providerLogout } from './provider-logout.ts';
import { samlPages } from './saml-pages.ts';
import { formHandler } from './shared/form-body.ts';
import type { PageContext } from './shared/page-context.ts';
import { readChoice } from './shared/page-language.ts';
import { style } from './shared/page-templates.ts';
import { errorPage } from './shared/pages.ts';
import { passkeyScript } from './shared/passkey-script.ts';
import { sendTooMany, tooMany } from './shared/typed-password.ts';
import { accountPaths } from './sign-in/account-sign-in.ts';
import { interactionPages } from './sign-in/interactions.ts';
import { addCorsHeaders, handlePreflight } from './token-origins.ts';
import { userInfo } from './user-info.ts';

export function routes(
  context: PageContext,
  handle: Parameters<typeof formHandler>[0],
  verify: Verifier['verify'],
): Router {
  const { limits, db, origins } = context;
  const addCors = (req: Request, res: Response) => addCorsHeaders(origins, req, res);
  const router = express.Router({ strict: true, caseSensitive: true });
  const library: RequestHandler = (req, res) => void handle(req, res);
  const only = (allow: string): RequestHandler => {
    return (req) => {
      throw new Problem(405, 'method_not_allowed', t`${req.method} is not possible here.`, {
        headers: { Allow: allow },
      });
    };
  };
  router.get('/oauth/style.css', (_req, res) => {
    res.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' });
    res.type('text/css').send(style);
  });
  router.get('/oauth/passkeys.js', (_req, res) => {
    res.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' });
    res.type('text/javascript').send(passkeyScript);
  });
  router.use(['/oauth', '/account'], (req, _res, next) => {
    requireUtf8Query(req.url);
    next();
  });
  router.use(['/oauth', '/account'], readChoice(context.base_url));
  router.use(interactionPages(context));
  router.use(connectionPages(context));
  router.use(providerLogout(context));
  router.use(samlPages(context));
  router.use(linkAccountPages(context));
  router.use(invitationPages(context));
  router.use(addressPages(context));
  router.use(installationPages(context));
  router.use(resetPages(context));
  router.use(signOutPages(context));
  router.use(accountPages(context));
  router.use(accountDetailPages(context));
  router.use(accountDevicePages(context));
  router.use(accountAppPages(context));
  router.use(accountCompanyPages(context));
  router.use(factorPages(context));
  const secretPaths = [
    '/oauth/interaction/:uid',
    '/oauth/invitation/:token',
    '/oauth/address/:token',
    '/oauth/installation/:token',
    '/oauth/reset/:token',
    '/oauth/link-account/:token',
  ];
  for (const page of secretPaths) router.all(page, only('GET, POST'));
  router.all(
    ['callback', 'test', 'metadata', 'jwks'].map((page) => `/oauth/connections/:id/${page}`),
    only('GET'),
  );
  router.all(logoutPath, only('POST'));
  router.all('/oauth/connections/:id/acs', only('GET, POST'));
  router.all(['/oauth/forgot', '/oauth/sign-out', ...accountPaths], only('GET, POST'));
  router.route('/oauth/authorize').get(limitAuthorizations(limits), library).all(only('GET'));
  router.route('/oauth/authorize/:uid').get(library).all(only('GET'));
  router
    .route('/oauth/token')
    .post(
      formHandler(handle, {
        addCors,
        admit: limitTokenRequests(limits, addCors),
        adjust: adjustTokenRequest(context.base_url),
      }),
    )
    .options(handlePreflight(origins))
    .all(only('POST'));
  router
    .route('/oauth/revoke')
    .post(formHandler(handle, { addCors, adjust: prefixAccessToken }))
    .options(handlePreflight(origins))
    .all(only('POST'));
  const withCors: RequestHandler = async (req, res, next) => {
    await addCors(req, res);
    next();
  };
  const userInfoHandler = userInfo(context, verify);
  router
    .route('/oauth/userinfo')
    .get(withCors, userInfoHandler)
    .post(withCors, userInfoHandler)
    .options(handlePreflight(origins, ['GET', 'POST']))
    .all(only('GET, POST'));
  router
    .route(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])
    .get(library)
    .options(library)
    .all(only('GET'));
  router
    .route('/oauth/jwks')
    .get(async (_req, res) => {
      res.set({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' });
      res.type('application/jwk-set+json').send(JSON.stringify({ keys: await publicKeys(db) }));
    })
    .all(only('GET'));
  return router;
}

/** Each authorization request is a row for up to an hour, so their number is limited. */
function limitAuthorizations({ authorizationRequest }: PageContext['limits']): RequestHandler {
  return async (req, res, next) => {
    const waitS = await authorizationRequest(req.ip);
    if (waitS === 0) return next();
    const title = t`Too many sign-ins`;
    sendTooMany(res, waitS, errorPage({ title, advice: tooMany(waitS), code: 'rate_limited' }));
  };
}

/** Maps scopes and resource of a token request like those of its authorization request. */
function adjustTokenRequest(baseUrl: string) {
  return (form: URLSearchParams): void => {
    const [scopes, resources] = [form.getAll('scope'), form.getAll('resource')];
    if (scopes.length === 1) form.set('scope', readScopes(scopes[0]!));
    if (resources.length === 1) form.set('resource', resourceOf(resources[0]!, baseUrl));
  };
}

/** Sends a 429 when a client exceeds its limit at one address. @returns whether the request may continue */
function limitTokenRequests(
  { tokenRequest }: PageContext['limits'],
  addCors: (req: Request, res: Response) => Promise<void>,
) {
  return async (req: Request, res: Response, form: URLSearchParams): Promise<boolean> => {
    const waitS = await tokenRequest(clientOf(req, form), req.ip);
    if (waitS === 0) return true;
    await addCors(req, res);
    res.set({ 'Cache-Control': 'no-store', 'Retry-After': String(waitS) });
    res.status(429).json({
      error: 'rate_limited',
      error_description: `too many requests from this client, try again in ${waitS} s`,
    });
    return false;
  };
}

function clientOf(req: Request, form: URLSearchParams): string {
  const [, basic] = /^Basic +(.+)$/i.exec(req.headers.authorization ?? '') ?? [];
  const [id] = Buffer.from(basic ?? '', 'base64')
    .toString()
    .split(':');
  return id || form.get('client_id') || subjectOf(form.get('client_assertion') ?? '');
}

/** The subject of an assertion (RFC 7523, section 3), without verifying its signature. */
function subjectOf(assertion: string): string {
  try {
    const { sub } = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());
    return typeof sub === 'string' ? sub : '';
  } catch {
    return '';
  }
}
