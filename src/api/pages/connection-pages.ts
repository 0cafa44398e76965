/** The callback for identity providers, and the start of a connection test. */
import express, { type Request, type Response, type Router } from 'express';
import { say, type Text } from '../../contract/languages/text.ts';
import { methods } from '../../identity/factors/authentication.ts';
import { useChallenge } from '../../identity/factors/challenges.ts';
import { recordInCompanies } from '../../platform/audit/account-entries.ts';
import { isId } from '../../product/access/records.ts';
import { acceptByProvider } from '../../product/invitations/accept-by-provider.ts';
import {
  type ConnectionAtSignIn,
  noteTested,
  openConnection,
} from '../../product/sign-in-connections/connection-at-sign-in.ts';
import type { Claims } from '../../product/sign-in-connections/provider.ts';
import { callbackOf } from '../../product/sign-in-connections/sign-in-connections.ts';
import { type NotSignedIn, personOfSubject, userOfSubject } from '../../product/sign-in-connections/subjects.ts';
import { openTest } from '../../product/sign-in-connections/test-ticket.ts';
import { type Errand, goToProvider, takeBegun } from './connection-start.ts';
import { gone } from './links/invitation-pages.ts';
import { onward } from './shared/onward.ts';
import { failurePage, originOfPage, type PageContext, send } from './shared/page-context.ts';
import { opensOnce } from './shared/page-language.ts';
import { noticePage, type Page, testedPage } from './shared/pages.ts';
import { providerTicket } from './signed-by-provider.ts';

const openAgain = say`Go back to the app that sent you here, and start again.`;

export function connectionPages(context: PageContext): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.use('/oauth/connections', (_req, res, next) => {
    opensOnce(res);
    next();
  });
  router.get('/oauth/connections/:id/test', (req, res) => startTest(context, req, res));
  router.get('/oauth/connections/:id/callback', (req, res) => finish(context, req, res));
  router.use('/oauth/connections', failurePage(context.log, openAgain));
  return router;
}

async function startTest(context: PageContext, req: Request<{ id: string }>, res: Response): Promise<void> {
  const { db, signIn } = context;
  const { id } = req.params;
  const ticket = String(req.query.ticket ?? '');
  const userId = openTest(signIn, id, ticket);
  const connection = userId ? await openConnection(db, signIn, id) : undefined;
  if (!userId || !connection || !(await useChallenge(db.global, ticket))) return send(res, 410, stale);
  await goToProvider(context, req, res, connection, { kind: 'test', user_id: userId }, { again: { max_age: 0 } });
}

async function finish(context: PageContext, req: Request<{ id: string }>, res: Response): Promise<void> {
  const { db, signIn, providers, base_url: baseUrl, log } = context;
  res.set('Cache-Control', 'no-store');
  const id = isId(req.params.id) ? req.params.id.toLowerCase() : '';
  const begun = await takeBegun(context, req, id);
  const connection = begun && (await openConnection(db, signIn, id));
  if (!begun || !connection || (!connection.isEnabled && begun.errand.kind !== 'test')) return send(res, 400, stale);
  const redirectUri = callbackOf(baseUrl, id);
  const response = new URL(`${redirectUri}${new URL(req.originalUrl, baseUrl).search}`);
  let claims: Claims;
  try {
    claims = await providers.claimsOf(connection, { ...begun, redirect_uri: redirectUri }, response);
  } catch (error) {
    log?.warn({ err: error, connection_id: id, ip: req.ip }, 'response of an identity provider refused');
    const why = begun.errand.kind === 'test' ? causeOf(error) : undefined;
    return send(res, 400, refused(connection, why));
  }
  await run(context, req, res, { connection, claims, errand: begun.errand });
}

interface Answered {
  connection: ConnectionAtSignIn;
  claims: Claims;
  errand: Errand;
}

async function run(context: PageContext, req: Request, res: Response, answered: Answered): Promise<void> {
  const { connection, claims, errand } = answered;
  const { db } = context;
  const origin = originOfPage(req, res);
  if (errand.kind === 'test') return showTest(context, req, res, answered);
  if (errand.kind === 'invitation') {
    const acceptance = await acceptByProvider(db, connection, errand.token, claims, origin);
    if (acceptance === 'accepted') return send(res, 200, welcome(connection, context));
    return send(res, acceptance === 'gone' ? 410 : 403, acceptance === 'gone' ? gone : notIn(acceptance, connection));
  }
  const found = await userOfSubject(db, connection, claims, origin);
  if ('why' in found) return send(res, 403, notIn(found.why, connection));
  const trusted = connection.trusts_provider;
  const ticket = providerTicket(context, errand.uid, {
    user_id: found.user_id,
    amr: trusted && hasTwo(claims) ? methods.providerWithTwo : methods.provider,
    auth_time_s: trusted ? claims.auth_time : undefined,
    asksOwn: errand.again && !trusted,
  });
  res.redirect(303, `/oauth/interaction/${encodeURIComponent(errand.uid)}?provider=${ticket}`);
}

/** The providers' values for two factors: RFC 8176, OpenID Connect's EAP, REFEDS, Okta. */
function hasTwo({ acr, amr }: Claims): boolean {
  const levels = ['phr', 'phrh', 'https://refeds.org/profile/mfa', 'urn:okta:loa:2fa:any'];
  return (Array.isArray(amr) && amr.includes('mfa')) || (typeof acr === 'string' && levels.includes(acr));
}

async function showTest(context: PageContext, req: Request, res: Response, { connection, claims, errand }: Answered) {
  const { db } = context;
  await noteTested(db, connection);
  await recordInCompanies(db, [connection.company_id], {
    action: 'sign_in_connection.tested',
    actor: { type: 'user', user_id: (errand as Extract<Errand, { kind: 'test' }>).user_id },
    origin: originOfPage(req, res),
    target: { type: 'sign_in_connection', id: connection.id },
  });
  const person = await personOfSubject(db, connection, claims);
  send(res, 200, testedPage({ name: connection.name, person, claims: shown(claims) }));
}

function shown(claims: Claims): { name: string; value: string }[] {
  const ofProtocol = new Set(['nonce', 'at_hash', 'c_hash', 's_hash', 'iat', 'nbf', 'exp', 'jti', 'sid']);
  return Object.entries(claims)
    .filter(([name]) => !ofProtocol.has(name))
    .slice(0, 50)
    .map(([name, value]) => {
      return { name, value: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500) };
    });
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'error' in error && typeof error.error === 'string' ? `${error.error}: ` : '';
  const more =
    'error_description' in error && typeof error.error_description === 'string' ? error.error_description : '';
  return `${code}${more || error.message}`.slice(0, 300);
}

const stale = noticePage({
  title: say`This page has expired`,
  text: [say`It was open for too long, was used before, or was opened in another browser.`, openAgain],
});

function refused({ name }: ConnectionAtSignIn, why: string | undefined): Page {
  const text = why
    ? [say`The response of the provider was refused.`, say`Reason: ${why}`]
    : [say`The provider didn’t sign you in, or its response was refused. Nothing was changed.`, openAgain];
  return noticePage({ title: say`You aren’t signed in with ${name}`, text });
}

const reasons: Record<NotSignedIn, Text> = {
  unknown: say`Your company’s provider knows you, but this service has no invitation or directory entry for you. Ask an administrator of your company to invite you.`,
  inactive: say`Your profile in the company is inactive. Ask an administrator of your company.`,
  taken: say`Your profile in the company is tied to another account of the provider. Ask an administrator of your company.`,
  last_admin: say`You are the administrator who can get in when the provider can’t be reached. Sign in with your own account.`,
};

function notIn(why: NotSignedIn, { name }: ConnectionAtSignIn): Page {
  return noticePage({ title: say`You aren’t signed in with ${name}`, text: [reasons[why]] });
}

function welcome({ name }: ConnectionAtSignIn, context: PageContext): Page {
  return noticePage({
    title: say`You have joined the company`,
    text: [say`From now on, sign in with ${name}: type your email address on the sign-in page.`],
    link: onward(context),
  });
}
