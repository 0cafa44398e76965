/** The page behind an invitation link. Opening it doesn't consume the invitation; submitting its form does. */
import type { Router } from 'express';
import { type Text, t } from '../../../contract/languages/text.ts';
import { chosenPassword } from '../../../identity/passwords/password-rules.ts';
import { hashPassword } from '../../../identity/passwords/passwords.ts';
import {
  acceptInvitation,
  findInvitation,
  type OpenInvitation,
} from '../../../product/invitations/accept-invitation.ts';
import { enabledConnection, redirectToProvider } from '../connection-start.ts';
import { field } from '../shared/forms.ts';
import { originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { acceptPage, noticePage, type Page } from '../shared/pages.ts';
import { returnLink } from '../shared/return-link.ts';
import { type LinkTurn, linkPages } from './link-pages.ts';
import { isProved } from './link-proof.ts';

const reopenHint = t`Reopen the link in your invitation and try again.`;
const wrongPassword = t`That is not the password of your account.`;

type Turn = LinkTurn<OpenInvitation>;

export function invitationPages(context: PageContext): Router {
  return linkPages(context, {
    path: '/oauth/invitation',
    find: (token) => findInvitation(context.db, token),
    formOf,
    submit,
    invalidPage: invalidInvitationPage,
    advice: reopenHint,
  });
}

async function submit(turn: Turn): Promise<void> {
  const { context, req, res, token, found } = turn;
  const { user, company, name, email } = found;
  const connectionId = field(req, 'connection');
  if (connectionId !== '') return acceptByConnection(turn, connectionId);
  const origin = originOfPage(req, res);
  if (user?.password_hash) {
    const formWith = (error: Text) => formOf(turn, error);
    const { password_hash: passwordHash } = user;
    const label = t`Accept the invitation`;
    const owner = { user: { ...user, password_hash: passwordHash }, wrong: wrongPassword, label, formWith };
    if (!(await isProved(turn, owner))) return;
    return finish(turn, await acceptInvitation(context.db, token, { user_id: user.id }, origin));
  }
  const chosen = chosenPassword(field(req, 'password'), field(req, 'password_again'), [company, name, email]);
  if ('problem' in chosen) return send(res, 400, formOf(turn, chosen.problem));
  const passwordHash = await hashPassword(chosen.password);
  await finish(turn, await acceptInvitation(context.db, token, { password_hash: passwordHash }, origin));
}

async function acceptByConnection(turn: Turn, id: string): Promise<void> {
  const { context, req, res, token, found } = turn;
  const isNamed = found.connections.some((each) => each.id === id);
  const connection = isNamed ? await enabledConnection(context, id) : undefined;
  if (!connection) return send(res, 400, formOf(turn, t`That provider can’t be used anymore.`));
  await redirectToProvider(context, req, res, connection, { kind: 'invitation', token }, { login_hint: found.email });
}

async function finish(turn: Turn, acceptance: Awaited<ReturnType<typeof acceptInvitation>>): Promise<void> {
  const { context, res, token, found } = turn;
  if (acceptance === 'accepted') return send(res, 200, accepted(found, context));
  if (acceptance === 'someone_else') return send(res, 409, someoneElse(found));
  const current = acceptance === 'account_changed' ? await findInvitation(context.db, token) : undefined;
  send(res, current ? 409 : 410, current ? formOf({ ...turn, found: current }) : invalidInvitationPage);
}

function formOf({ context, req, res, found }: Turn, error?: Text): Page {
  const { user, ...invitation } = found;
  const csrfToken = context.forms.browserToken(req, res);
  return acceptPage({
    ...invitation,
    existing: Boolean(user?.password_hash),
    action: req.path,
    csrf_token: csrfToken,
    error,
  });
}

export const invalidInvitationPage = noticePage({
  title: t`This invitation no longer works`,
  text: [
    t`An invitation works once, and for seven days. Ask the person who invited you to send a new one.`,
    t`Already accepted it? Go to the app and sign in.`,
  ],
});

function accepted({ company, email }: OpenInvitation, context: PageContext): Page {
  return noticePage({
    title: t`Welcome to ${company}`,
    text: [
      context.app_url
        ? t`Your account is ready. Continue, and sign in with ${email} and your password.`
        : t`Your account is ready. Open the app you want to use, and sign in with ${email} and your password.`,
    ],
    link: returnLink(context),
  });
}

function someoneElse({ company }: OpenInvitation): Page {
  return noticePage({
    title: t`You already belong to this company`,
    text: [t`Your account belongs to another profile at ${company}. Ask an administrator there to fix this.`],
  });
}
