/** Continues a sign-in, invitation, or test after an identity provider has responded, and shows why a response is refused. */
import type { Request, Response } from 'express';
import { type Text, t } from '../../contract/languages/text.ts';
import { providerSessionHash } from '../../identity/devices/devices.ts';
import { methods } from '../../identity/factors/authentication.ts';
import { isTooOldForSession } from '../../identity/grants/sign-in-age.ts';
import { recordInCompanies } from '../../platform/audit/account-entries.ts';
import { acceptByProvider } from '../../product/invitations/accept-by-provider.ts';
import type { Claims } from '../../product/sign-in-connections/claims.ts';
import { type ConnectionAtSignIn, recordTest } from '../../product/sign-in-connections/connection-at-sign-in.ts';
import { personOfSubject, type SignInRefusal, userOfSubject } from '../../product/sign-in-connections/subjects.ts';
import { type Errand, type InteractionErrand, redirectToProvider } from './connection-start.ts';
import { linkAccountAddress } from './link-account.ts';
import { invalidInvitationPage } from './links/invitation-pages.ts';
import { originOfPage, type PageContext, send } from './shared/page-context.ts';
import { noticePage, type Page, testedPage } from './shared/pages.ts';
import { returnLink } from './shared/return-link.ts';
import { providerTicket } from './signed-by-provider.ts';

export const restartHint = t`Go back to the app that sent you here, and start again.`;

/** Short enough for any policy, and long enough for a person's last steps at the provider. */
const freshS = 120;

interface ProviderOutcome {
  connection: ConnectionAtSignIn;
  claims: Claims;
  errand: Errand;
}

export async function handleOutcome(
  context: PageContext,
  req: Request,
  res: Response,
  outcome: ProviderOutcome,
): Promise<void> {
  const { connection, claims, errand } = outcome;
  const { db } = context;
  const origin = originOfPage(req, res);
  if (errand.kind === 'test') return showTest(context, req, res, outcome);
  if (claims.sub === '') return send(res, 400, refusedPage(connection, undefined));
  if (errand.kind === 'invitation') {
    const acceptance = await acceptByProvider(db, connection, errand.token, claims, origin);
    if (acceptance === 'accepted') return send(res, 200, welcomePage(connection, context));
    return send(
      res,
      acceptance === 'gone' ? 410 : 403,
      acceptance === 'gone' ? invalidInvitationPage : notSignedInPage(acceptance, connection),
    );
  }
  const signedInS = connection.trusts_provider ? claims.auth_time : undefined;
  // The provider's own session may be weeks old.
  if (signedInS !== undefined && (await isTooOldForSession(db, connection.company_id, signedInS)))
    return redirectToProvider(context, req, res, connection, errand, { again: { max_age: freshS } });
  const found = await userOfSubject(db, connection, claims, origin);
  if ('user_id' in found) return res.redirect(303, ticketFor(context, connection, { claims, errand, ...found }));
  const link = found.why === 'unknown' ? linkAccountAddress(context, req, connection, claims, errand) : undefined;
  if (link) return res.redirect(303, link);
  send(res, 403, notSignedInPage(found.why, connection));
}

/** @returns the path where the sign-in continues, with a ticket for the user whom the provider signed in */
export function ticketFor(
  context: PageContext,
  { id, company_id: companyId, trusts_provider: trusted }: ConnectionAtSignIn,
  { claims, errand, user_id: userId }: { claims: Claims; errand: InteractionErrand; user_id: string },
): string {
  const ticket = providerTicket(context, errand.uid, {
    user_id: userId,
    company_id: companyId,
    amr: trusted && hasTwoFactors(claims) ? methods.providerWithTwo : methods.provider,
    auth_time_s: trusted ? claims.auth_time : undefined,
    asksOwn: errand.again && !trusted,
    provider_session: claims.sid ? providerSessionHash(id, claims.sid).toString('base64url') : undefined,
  });
  return `/oauth/interaction/${encodeURIComponent(errand.uid)}?provider=${ticket}`;
}

/** Claim values that report two factors: RFC 8176, OpenID Connect's EAP, REFEDS, Okta, SAML 2.0, Entra ID over SAML. */
const acrValues = [
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'urn:okta:loa:2fa:any',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered',
  'http://schemas.microsoft.com/claims/multipleauthn',
];
const amrValues = ['mfa', 'http://schemas.microsoft.com/claims/multipleauthn'];

function hasTwoFactors({ acr, amr }: Claims): boolean {
  return (
    (Array.isArray(amr) && amrValues.some((method) => amr.includes(method))) ||
    (typeof acr === 'string' && acrValues.includes(acr))
  );
}

async function showTest(
  context: PageContext,
  req: Request,
  res: Response,
  { connection, claims, errand }: ProviderOutcome,
) {
  const { db } = context;
  if (claims.sub === '') {
    return send(
      res,
      200,
      testedPage({ name: connection.name, isKeyless: true, person: undefined, claims: displayedClaims(claims) }),
    );
  }
  await recordTest(db, connection);
  await recordInCompanies(db, [connection.company_id], {
    action: 'sign_in_connection.tested',
    actor: { type: 'user', user_id: (errand as Extract<Errand, { kind: 'test' }>).user_id },
    origin: originOfPage(req, res),
    target: { type: 'sign_in_connection', id: connection.id },
  });
  const person = await personOfSubject(db, connection, claims);
  send(res, 200, testedPage({ name: connection.name, person, claims: displayedClaims(claims) }));
}

/** The claims as the provider sent them, without those of the protocol. */
function displayedClaims(claims: Claims): { name: string; value: string }[] {
  const protocolClaims = new Set(['nonce', 'at_hash', 'c_hash', 's_hash', 'iat', 'nbf', 'exp', 'jti', 'sid']);
  return Object.entries(claims.shown ?? claims)
    .filter(([name]) => !protocolClaims.has(name))
    .slice(0, 50)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return { name, value: text.slice(0, 500) };
    });
}

export const stalePage = noticePage({
  title: t`This page has expired`,
  text: [t`It was open for too long, was used before, or was opened in another browser.`, restartHint],
});

export function refusedPage({ name }: ConnectionAtSignIn, reason: string | undefined): Page {
  const text = reason
    ? [t`The response of the provider was refused.`, t`Reason: ${reason}`]
    : [t`The provider didn’t sign you in, or its response was refused. Nothing was changed.`, restartHint];
  return noticePage({ title: t`You aren’t signed in with ${name}`, text });
}

const reasons: Record<SignInRefusal, Text> = {
  unknown: t`Your company’s provider knows you, but this service has no invitation or directory entry for you. Ask an administrator of your company to invite you.`,
  inactive: t`Your profile in the company is inactive. Ask an administrator of your company.`,
  taken: t`Your profile in the company is tied to another account of the provider, or your account to another profile. Ask an administrator of your company.`,
  last_admin: t`You are the administrator who can get in when the provider can’t be reached. Sign in with your own account.`,
};

export function notSignedInPage(reason: SignInRefusal, { name }: ConnectionAtSignIn): Page {
  return noticePage({ title: t`You aren’t signed in with ${name}`, text: [reasons[reason]] });
}

function welcomePage({ name }: ConnectionAtSignIn, context: PageContext): Page {
  return noticePage({
    title: t`You have joined the company`,
    text: [t`From now on, sign in with ${name}: type your email address on the sign-in page.`],
    link: returnLink(context),
  });
}
