/**
 * The page behind the link that is mailed when a company has changed somebody's address: who holds the link and knows the
 * password of the account signs in with the new address from then on. It shows what the company's record says, and nothing
 * of the account.
 */
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { verifyPassword } from '../../identity/passwords/passwords.ts';
import {
  confirmAddress,
  findAddressChange,
  type OpenAddressChange,
} from '../../product/sign-in-address/sign-in-address.ts';
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
import { addressPage, noticePage, type Page } from './pages.ts';

const open_again = 'Open the link in your mail again, and try once more.';
const wrong_password = 'That is not the password you sign in with.';
const taken = 'Another account signs in with this address already. Go on signing in with the address you have.';

interface Turn {
  context: PageContext;
  req: Request;
  res: Response;
  token: string;
  change: OpenAddressChange;
}

export function addressPages(context: PageContext): Router {
  const turn =
    (work: (turn: Turn) => Promise<void> | void): RequestHandler =>
    async (req, res) => {
      const token = String(req.params.token);
      const change = await findAddressChange(context.db, context.address_links, token);
      await (change ? work({ context, req, res, token, change }) : send(res, 410, gone));
    };
  const checked: RequestHandler = (req, _res, next) => {
    context.forms.checkBrowser(req);
    next();
  };
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route('/oauth/address/:token')
    .get(turn((shown) => send(shown.res, 200, formOf(shown))))
    .post(readForm, checked, turn(submit));
  router.use('/oauth/address', failurePage(context.log, open_again));
  return router;
}

async function submit(turn: Turn): Promise<void> {
  const { context, req, res, token, change } = turn;
  const { db, mail, limits, devices, address_links } = context;
  const { id, password_hash } = change.user;
  const device = devices.of(req, id);
  const wait_s = await limits.signIn(id, req.ip, device);
  if (wait_s > 0) return sendTooMany(res, wait_s, formOf(turn, tooMany(wait_s)));
  if (!(await verifyPassword(password_hash, field(req, 'password')))) {
    logWrongPassword(context, id, req.ip);
    return send(res, 401, formOf(turn, wrong_password));
  }
  await limits.signedIn(id, req.ip, device);
  devices.remember(req, res, id);
  const result = await confirmAddress(db, mail, address_links, token, id, originOfPage(req, res));
  if (result === 'gone') return send(res, 410, gone);
  if (result === 'taken') return send(res, 409, formOf(turn, taken));
  send(res, 200, confirmed(change, context.app_url));
}

function formOf({ context, req, res, change }: Turn, error?: string): Page {
  const { company, name, email } = change;
  const csrf_token = context.forms.browserToken(req, res);
  return addressPage({ company, name, email, action: req.path, csrf_token, error });
}

/** One page for every link that does not work, so that none tells why. */
const gone = noticePage({
  title: 'This link doesn’t work any more',
  text: [
    'A link to sign in with another address works once, for seven days, and only the newest one does.',
    'You used it before? Then sign in with the new address.',
  ],
});

function confirmed({ email }: OpenAddressChange, app_url: string | undefined): Page {
  return noticePage({
    title: 'Your address was changed',
    text: [`From now on, sign in with ${email} and the password you have. Links for a new password go there, too.`],
    link: app_url ? { href: app_url, label: 'Continue' } : undefined,
  });
}
