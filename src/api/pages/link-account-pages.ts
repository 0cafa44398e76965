/**
 * The page that links an unknown subject of a provider to an existing account, for people who joined before the provider. It
 * requires the same proof as a sign-in, and looks the same whether or not the account exists, so it reveals no accounts.
 */
import type { Request, Router } from 'express';
import { type Text, t } from '../../contract/languages/text.ts';
import { findAccount } from '../../identity/users/users.ts';
import type { Claims } from '../../product/sign-in-connections/claims.ts';
import type { ConnectionAtSignIn } from '../../product/sign-in-connections/connection-at-sign-in.ts';
import { emailIn, linkMember } from '../../product/sign-in-connections/link-member.ts';
import { notSignedInPage, restartHint, stalePage, ticketFor } from './connection-outcome.ts';
import { enabledConnection, type InteractionErrand } from './connection-start.ts';
import { findSignedUser, type SignedUser } from './factors/partial-proof.ts';
import { linkAccountPath, openLinkAccount } from './link-account.ts';
import { type LinkTurn, linkPages } from './links/link-pages.ts';
import { isProved } from './links/link-proof.ts';
import { field } from './shared/forms.ts';
import { originOfPage, type PageContext, send } from './shared/page-context.ts';
import { linkAccountPage, noticePage, type Page } from './shared/pages.ts';
import { type PasskeyForm, passkeyOwner, requestForm, stalePasskey } from './shared/passkey-forms.ts';
import { isRightPassword } from './shared/typed-password.ts';

const passkeyStep = 'link-passkey';

const wrong = t`That password doesn’t match an account with this address.`;
const wrongPasskey = t`That passkey doesn’t belong to an account with this address.`;

interface Found {
  claims: Claims;
  errand: InteractionErrand;
  connection: ConnectionAtSignIn;
  email: string;
  language: undefined;
}

type Turn = LinkTurn<Found>;

export function linkAccountPages(context: PageContext): Router {
  return linkPages<Found>(context, {
    path: linkAccountPath,
    find: (token, req) => find(context, token, req),
    formOf,
    submit,
    invalidPage: stalePage,
    advice: restartHint,
  });
}

async function find(context: PageContext, token: string, req: Request): Promise<Found | undefined> {
  const pending = openLinkAccount(context, req, token);
  const connection = pending && (await enabledConnection(context, pending.connection_id));
  return connection && { ...pending, connection, email: emailIn(pending.claims)!, language: undefined };
}

async function submit(turn: Turn): Promise<void> {
  const user = await provedOwner(turn);
  if (!user) return;
  const { context, req, res, found } = turn;
  const { connection, claims, errand } = found;
  const linked = await linkMember(context, connection, claims.sub, user, originOfPage(req, res));
  if ('why' in linked) return send(res, 403, notSignedInPage(linked.why, connection));
  const href = ticketFor(context, connection, { claims, errand, user_id: linked.user_id });
  // `Refresh` in place of a redirect: the page's `form-action` policy would also apply to redirects of its form.
  res.set('Refresh', `0; url=${href}`);
  const text = [t`From now on, sign in with ${connection.name}. We sent you an email about it.`];
  send(res, 200, noticePage({ title: t`Your account is linked`, text, link: { href, label: t`Continue` } }));
}

/** @returns the owner of the account, once they have proved it as at a sign-in; undefined if a response was already sent */
async function provedOwner(turn: Turn): Promise<SignedUser | undefined> {
  const { context, req, res, found } = turn;
  const { db, factors } = context;
  const account = await findAccount(db.global, found.email);
  const formWith = await formRenderer(turn);
  if (field(req, 'action') === passkeyStep) {
    const owner = await passkeyOwner(db.global, factors, passkeyPurpose(req), req);
    const user = owner && owner !== 'stale' && owner === account?.id ? await findSignedUser(db, owner) : undefined;
    if (!user) send(res, 401, formWith(owner === 'stale' ? stalePasskey : wrongPasskey));
    return user;
  }
  if (account?.password_hash) {
    const user = { ...account, password_hash: account.password_hash };
    return (await isProved(turn, { user, wrong, label: t`Link the account`, formWith })) ? user : undefined;
  }
  const counted = account?.id ?? found.email.toLowerCase();
  await isRightPassword(context, { req, res, user: account, account: counted, wrong, formWith });
  return undefined;
}

async function formOf(turn: Turn): Promise<Page> {
  return (await formRenderer(turn))();
}

/** @returns a function that renders the page with an error */
async function formRenderer({ context, req, res, found }: Turn): Promise<(error?: Text) => Page> {
  const { connection, email } = found;
  // Offer passkeys of any account: the page must not reveal whether this address has one.
  const offered = await requestForm(context.db.global, context.factors, passkeyPurpose(req));
  const passkey: PasskeyForm | undefined = offered && { ...offered, mode: 'get' };
  const csrfToken = context.forms.browserToken(req, res);
  const formData = { provider: connection.name, email, passkey, passkey_step: passkeyStep };
  return (error) => linkAccountPage({ ...formData, action: req.path, csrf_token: csrfToken, error });
}

const passkeyPurpose = (req: Request) => `link account\n${req.path}`;
