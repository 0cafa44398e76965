/** The page behind the link of an invitation. Opening it does not use the invitation; submitting its form does. */
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { chosenPassword } from '../../identity/passwords/password-rules.ts';
import { hashPassword, verifyPassword } from '../../identity/passwords/passwords.ts';
import { acceptInvitation, findInvitation, type OpenInvitation } from '../../product/invitations/accept-invitation.ts';
import { field, readForm } from './forms.ts';
import {
  failurePage,
  logWrongPassword,
  originOfPage,
  type PageContext,
  send,
  sendTooMany,
  tooMany,
} from './page-context.ts';
import { acceptPage, noticePage, type Page } from './pages.ts';

const open_again = 'Open the link of your invitation again, and try once more.';
const wrong_password = 'That is not the password of your account.';

interface Turn {
  context: PageContext;
  req: Request;
  res: Response;
  token: string;
  invitation: OpenInvitation;
}

export function invitationPages(context: PageContext): Router {
  const turn =
    (work: (turn: Turn) => Promise<void> | void): RequestHandler =>
    async (req, res) => {
      const token = String(req.params.token);
      const invitation = await findInvitation(context.db, token);
      await (invitation ? work({ context, req, res, token, invitation }) : send(res, 410, gone));
    };
  const checked: RequestHandler = (req, _res, next) => {
    context.forms.checkBrowser(req);
    next();
  };
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route('/oauth/invitation/:token')
    .get(turn((shown) => send(shown.res, 200, formOf(shown))))
    .post(readForm, checked, turn(submit));
  router.use('/oauth/invitation', failurePage(context.log, open_again));
  return router;
}

async function submit(turn: Turn): Promise<void> {
  const { context, req, res, token, invitation } = turn;
  const { user, company, name, email } = invitation;
  const origin = originOfPage(req, res);
  if (user?.password_hash) {
    const { limits, devices } = context;
    const device = devices.of(req, user.id);
    const wait_s = await limits.signIn(user.id, req.ip, device);
    if (wait_s > 0) return sendTooMany(res, wait_s, formOf(turn, tooMany(wait_s)));
    const right = await verifyPassword(user.password_hash, field(req, 'password'));
    if (!right) {
      logWrongPassword(context, user.id, req.ip);
      return send(res, 401, formOf(turn, wrong_password));
    }
    await limits.signedIn(user.id, req.ip, device);
    devices.remember(req, res, user.id);
    return finish(turn, await acceptInvitation(context.db, token, { user_id: user.id }, origin));
  }
  const chosen = chosenPassword(field(req, 'password'), field(req, 'password_again'), [company, name, email]);
  if ('problem' in chosen) return send(res, 400, formOf(turn, chosen.problem));
  const password_hash = await hashPassword(chosen.password);
  await finish(turn, await acceptInvitation(context.db, token, { password_hash }, origin));
}

async function finish(turn: Turn, acceptance: Awaited<ReturnType<typeof acceptInvitation>>): Promise<void> {
  const { context, res, token, invitation } = turn;
  if (acceptance === 'accepted') return send(res, 200, accepted(invitation, context.app_url));
  if (acceptance === 'someone_else') return send(res, 409, someoneElse(invitation));
  const now = acceptance === 'account_changed' ? await findInvitation(context.db, token) : undefined;
  send(res, now ? 409 : 410, now ? formOf({ ...turn, invitation: now }) : gone);
}

function formOf({ context, req, res, invitation }: Turn, error?: string): Page {
  const { user, ...shown } = invitation;
  const csrf_token = context.forms.browserToken(req, res);
  return acceptPage({ ...shown, existing: Boolean(user?.password_hash), action: req.path, csrf_token, error });
}

/** One page for every link that does not work, so that none tells why. */
const gone = noticePage({
  title: 'This invitation doesn’t work any more',
  text: [
    'An invitation works once, and for seven days. Ask the person who invited you to send a new one.',
    'You accepted it before? Then go to the app and sign in.',
  ],
});

function accepted({ company, email }: OpenInvitation, app_url: string | undefined): Page {
  const onward = app_url ? 'Go on and sign in' : 'Open the app that you want to work with, and sign in';
  return noticePage({
    title: `Welcome to ${company}`,
    text: [`Your account is ready. ${onward} with ${email} and your password.`],
    link: app_url ? { href: app_url, label: 'Continue' } : undefined,
  });
}

function someoneElse({ company }: OpenInvitation): Page {
  return noticePage({
    title: 'You are with this company already',
    text: [`Your account belongs to another profile at ${company}. Ask an administrator there to put this right.`],
  });
}
