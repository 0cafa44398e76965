/**
 * Redirects to a company's identity provider. `state` holds, encrypted, what the response must match. It is bound to the browser
 * (by a cookie) and the connection, expires in minutes, and works once: a sign-in can't be finished in another browser or with
 * another provider.
 */
import type { Request, Response } from 'express';
import { say } from '../../contract/languages/text.ts';
import { openTicket, ticketOf, useChallenge } from '../../identity/factors/challenges.ts';
import { newSecret } from '../../platform/secrets/secrets.ts';
import { type ConnectionAtSignIn, openConnection } from '../../product/sign-in-connections/connection-at-sign-in.ts';
import type { Asked } from '../../product/sign-in-connections/provider.ts';
import { callbackOf } from '../../product/sign-in-connections/sign-in-connections.ts';
import { cookieOf } from './shared/forms.ts';
import { type PageContext, send } from './shared/page-context.ts';
import { noticePage } from './shared/pages.ts';

const validMs = 15 * 60_000;

export type Errand =
  | { kind: 'interaction'; uid: string; again: boolean }
  | { kind: 'invitation'; token: string }
  | { kind: 'test'; user_id: string };

interface Begun extends Pick<Asked, 'nonce' | 'verifier' | 'max_age'> {
  errand: Errand;
}

interface Wishes {
  login_hint?: string | undefined;
  /** Asks the provider to authenticate again, with the maximum age in seconds. */
  again?: { max_age: number } | undefined;
  other?: string | undefined;
}

type Context = Pick<PageContext, 'db' | 'signIn' | 'providers' | 'factors' | 'base_url' | 'log' | 'limits'>;

/** Sends a page that redirects to the provider, with a link as a fallback. */
export async function goToProvider(
  context: Context,
  req: Request,
  res: Response,
  connection: ConnectionAtSignIn,
  errand: Errand,
  { login_hint: loginHint, again, other }: Wishes = {},
): Promise<void> {
  const { base_url: baseUrl, factors, providers, log } = context;
  const maxAge = again && connection.trusts_provider ? again.max_age : undefined;
  const begun: Begun = { errand, nonce: newSecret(), verifier: newSecret(), max_age: maxAge };
  const purpose = purposeOf(connection.id, browserSecret(context, req, res));
  const state = ticketOf(factors.steps, purpose, JSON.stringify(begun), validMs);
  const asked: Asked = { ...begun, state, redirect_uri: callbackOf(baseUrl, connection.id) };
  let href: string;
  try {
    href = await providers.addressOf(connection, asked, { login_hint: loginHint, again: again !== undefined });
  } catch (error) {
    log?.warn({ err: error, connection_id: connection.id }, 'identity provider not reached');
    return send(res, 502, unreachable(connection));
  }
  // A redirect of a form would be checked against its page's CSP, which can't list every company's provider.
  res.set('Refresh', `0; url=${href}`);
  const page = noticePage({
    title: say`Continue to ${connection.name}`,
    text: [say`Your company signs people in with its own provider. If nothing happens, select Continue.`],
    link: { href, label: say`Continue` },
    other: other === undefined ? undefined : { href: other, label: say`Use a password instead` },
  });
  send(res, 200, page);
}

/** Consumes what this browser started. @returns undefined if it started nothing that matches */
export async function takeBegun(
  { factors, db, base_url: baseUrl }: Pick<PageContext, 'factors' | 'db' | 'base_url'>,
  req: Request,
  connectionId: string,
): Promise<(Begun & { state: string }) | undefined> {
  const { state } = req.query;
  const secret = cookieOf(req, cookieName(baseUrl));
  if (typeof state !== 'string' || !secret) return undefined;
  const opened = openTicket(factors.steps, purposeOf(connectionId, secret), state);
  if (!opened) return undefined;
  const begun = JSON.parse(opened) as Begun;
  return (await useChallenge(db.global, begun.nonce)) ? { ...begun, state } : undefined;
}

export async function enabledConnection(
  { db, signIn }: Pick<PageContext, 'db' | 'signIn'>,
  id: string,
): Promise<ConnectionAtSignIn | undefined> {
  const connection = await openConnection(db, signIn, id);
  return connection?.isEnabled ? connection : undefined;
}

function unreachable({ name }: ConnectionAtSignIn) {
  return noticePage({
    title: say`${name} can’t be reached`,
    text: [
      say`Your company’s provider doesn’t respond as it should. Try again soon, or tell an administrator of your company.`,
    ],
  });
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
