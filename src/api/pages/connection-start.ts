/**
 * Redirects to a company's identity provider. `state` holds, encrypted, what the response must match. It is bound to the browser
 * (by a cookie) and the connection, expires in minutes, and works once: a sign-in can't be finished in another browser or with
 * another provider.
 */
import type { Request, Response } from 'express';
import { t } from '../../contract/languages/text.ts';
import { openTicket, ticketOf, useChallenge } from '../../identity/factors/challenges.ts';
import { newSecret } from '../../platform/secrets/secrets.ts';
import {
  type ConnectionAtSignIn,
  openConnection,
  type SamlConnection,
} from '../../product/sign-in-connections/connection-at-sign-in.ts';
import type { AuthorizationRequest } from '../../product/sign-in-connections/provider.ts';
import { addRequest } from '../../product/sign-in-connections/saml/pending-requests.ts';
import { withFreshMetadata } from '../../product/sign-in-connections/saml/refresh-metadata.ts';
import { authorizeUrl } from '../../product/sign-in-connections/saml/service-provider.ts';
import { callbackOf } from '../../product/sign-in-connections/sign-in-connections.ts';
import { cookieOf } from './shared/forms.ts';
import { type PageContext, send } from './shared/page-context.ts';
import { noticePage } from './shared/pages.ts';

const validMs = 15 * 60_000;

export type Errand =
  | { kind: 'interaction'; uid: string; again: boolean }
  | { kind: 'invitation'; token: string }
  | { kind: 'test'; user_id: string };

export type InteractionErrand = Extract<Errand, { kind: 'interaction' }>;

interface PendingSignIn extends Pick<AuthorizationRequest, 'nonce' | 'verifier' | 'max_age'> {
  errand: Errand;
}

interface RedirectOptions {
  login_hint?: string | undefined;
  /** Asks the provider to authenticate again, with the maximum age in seconds. */
  again?: { max_age: number } | undefined;
  other?: string | undefined;
}

type Context = Pick<PageContext, 'db' | 'signIn' | 'providers' | 'factors' | 'base_url' | 'log' | 'limits'>;

/** Sends a page that redirects to the provider, with a link as a fallback. */
export async function redirectToProvider(
  context: Context,
  req: Request,
  res: Response,
  connection: ConnectionAtSignIn,
  errand: Errand,
  { login_hint: loginHint, again: reauthentication, other }: RedirectOptions = {},
): Promise<void> {
  const { base_url: baseUrl, factors, providers, log } = context;
  const maxAge = reauthentication && connection.trusts_provider ? reauthentication.max_age : undefined;
  const pending: PendingSignIn = { errand, nonce: newSecret(), verifier: newSecret(), max_age: maxAge };
  const purpose = purposeOf(connection.id, browserSecret(context, req, res));
  const state = ticketOf(factors.steps, purpose, JSON.stringify(pending), validMs);
  const more = { login_hint: loginHint, again: reauthentication !== undefined };
  let href: string;
  try {
    href =
      connection.kind === 'saml'
        ? await samlAddress(context, connection, state, more.again)
        : await providers.addressOf(
            connection,
            { ...pending, state, redirect_uri: callbackOf(baseUrl, connection.id) },
            more,
          );
  } catch (error) {
    log?.warn({ err: error, connection_id: connection.id }, 'identity provider unreachable');
    return send(res, 502, unreachable(connection, errand.kind === 'test' ? causeOf(error) : undefined));
  }
  // A redirect of a form would be checked against its page's CSP, which can't list every company's provider.
  res.set('Refresh', `0; url=${href}`);
  const page = noticePage({
    title: t`Continue to ${connection.name}`,
    text: [t`Your company signs people in with its own provider. If nothing happens, select Continue.`],
    link: { href, label: t`Continue` },
    other: other === undefined ? undefined : { href: other, label: t`Use a password instead` },
  });
  send(res, 200, page);
}

/** RelayState of SAML is limited to 80 bytes, so the state is stored in a row. */
async function samlAddress(
  context: Context,
  connection: SamlConnection,
  pending: string,
  reauthentication: boolean,
): Promise<string> {
  const { db, base_url: baseUrl } = context;
  const known = await withFreshMetadata(context, connection);
  const requestIds = { request_id: `_${newSecret()}`, relay_state: newSecret() };
  const request = { connection_id: connection.id, request_id: requestIds.request_id, begun: pending };
  await addRequest(db, requestIds.relay_state, request, validMs);
  return authorizeUrl(known, baseUrl, { ...requestIds, again: reauthentication });
}

/** Consumes the state of a sign-in. @returns undefined for a state of another browser or connection, or a used one */
export async function consumeState(
  context: Pick<PageContext, 'factors' | 'db' | 'base_url'>,
  req: Request,
  connectionId: string,
): Promise<(PendingSignIn & { state: string }) | undefined> {
  const { state } = req.query;
  if (typeof state !== 'string') return undefined;
  const pending = openPendingState(context, req, connectionId, state);
  return pending && (await useChallenge(context.db.global, pending.nonce, validMs)) ? { ...pending, state } : undefined;
}

/** The secret that identifies a browser for some minutes after it was sent to a provider. */
export function browserOf({ base_url: baseUrl }: Pick<PageContext, 'base_url'>, req: Request): string | undefined {
  return cookieOf(req, cookieName(baseUrl));
}

/** @returns undefined for a state of another browser */
export function openPendingState(
  context: Pick<PageContext, 'factors' | 'base_url'>,
  req: Request,
  connectionId: string,
  state: string,
): PendingSignIn | undefined {
  const { factors } = context;
  const secret = browserOf(context, req);
  const opened = secret && openTicket(factors.steps, purposeOf(connectionId, secret), state);
  return opened ? (JSON.parse(opened) as PendingSignIn) : undefined;
}

export async function enabledConnection(
  { db, signIn }: Pick<PageContext, 'db' | 'signIn'>,
  id: string,
): Promise<ConnectionAtSignIn | undefined> {
  const connection = await openConnection(db, signIn, id);
  return connection?.isEnabled ? connection : undefined;
}

/** @param cause for an admin who tests the connection */
function unreachable({ name, kind, issuer }: ConnectionAtSignIn, cause: string | undefined) {
  const title = t`${name} can’t be reached`;
  if (cause === undefined) {
    const text = t`Your company’s provider isn’t responding correctly. Try again soon, or tell an administrator of your company.`;
    return noticePage({ title, text: [text] });
  }
  const metadata = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const advice = t`Check the issuer: ${metadata} must be public, and name the same issuer.`;
  return noticePage({ title, text: [...(kind === 'oidc' ? [advice] : []), t`Reason: ${cause}`] });
}

/** In English, for an admin who tests a connection. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'error' in error && typeof error.error === 'string' ? `${error.error}: ` : '';
  const more =
    'error_description' in error && typeof error.error_description === 'string' ? error.error_description : '';
  return `${code}${more || error.message}`.slice(0, 300);
}

/** Lax, because the provider redirects from another site. */
function browserSecret({ base_url: baseUrl }: Pick<Context, 'base_url'>, req: Request, res: Response): string {
  const name = cookieName(baseUrl);
  const secret = cookieOf(req, name) ?? newSecret();
  const secure = baseUrl.startsWith('https:');
  res.cookie(name, secret, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: validMs });
  return secret;
}

function cookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-provider' : 'oauth_provider';
}

function purposeOf(connectionId: string, secret: string): string {
  return `provider\n${connectionId}\n${secret}`;
}
