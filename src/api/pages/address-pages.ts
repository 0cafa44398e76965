/**
 * The page behind the link that is mailed when a company has changed somebody's address: who holds the link and knows the
 * password of the account signs in with the new address from then on. It shows what the company's record says, and nothing
 * of the account.
 */
import type { Router } from 'express';
import { say, type Text } from '../../contract/languages/text.ts';
import { languageOfUser } from '../../identity/members/own-language.ts';
import {
  confirmAddress,
  findAddressChange,
  type OpenAddressChange,
} from '../../product/sign-in-address/sign-in-address.ts';
import { type LinkTurn, linkPages } from './link-pages.ts';
import { originOfPage, type PageContext, send } from './page-context.ts';
import { languageOfPage } from './page-language.ts';
import { addressPage, noticePage, type Page } from './pages.ts';
import { isRightPassword } from './typed-password.ts';

const open_again = say`Open the link in your mail again, and try once more.`;
const wrong_password = say`That is not the password you sign in with.`;
const taken = say`Another account signs in with this address already. Go on signing in with the address you have.`;

type Turn = LinkTurn<OpenAddressChange>;

export function addressPages(context: PageContext): Router {
  return linkPages(context, {
    path: '/oauth/address',
    find: (token) => findAddressChange(context.db, context.address_links, token),
    formOf,
    submit,
    gone,
    advice: open_again,
  });
}

async function submit(turn: Turn): Promise<void> {
  const { context, req, res, token, found } = turn;
  const { db, mail, address_links } = context;
  const { user } = found;
  const formWith = (error: Text) => formOf(turn, error);
  const typed = { req, res, user, account: user.id, wrong: wrong_password, formWith };
  if (!(await isRightPassword(context, typed))) return;
  // Of the account, which they have just proved to be theirs.
  const language = (await languageOfUser(db, user.id)) ?? languageOfPage(res);
  const result = await confirmAddress(db, mail, address_links, token, user.id, language, originOfPage(req, res));
  if (result === 'gone') return send(res, 410, gone);
  if (result === 'taken') return send(res, 409, formOf(turn, taken));
  send(res, 200, confirmed(found, context.app_url));
}

function formOf({ context, req, res, found }: Turn, error?: Text): Page {
  const { company, name, email } = found;
  const csrf_token = context.forms.browserToken(req, res);
  return addressPage({ company, name, email, action: req.path, csrf_token, error });
}

const gone = noticePage({
  title: say`This link doesn’t work any more`,
  text: [
    say`A link to sign in with another address works once, for seven days, and only the newest one does.`,
    say`You used it before? Then sign in with the new address.`,
  ],
});

function confirmed({ email }: OpenAddressChange, app_url: string | undefined): Page {
  return noticePage({
    title: say`Your address was changed`,
    text: [say`From now on, sign in with ${email} and the password you have. Links for a new password go there, too.`],
    link: app_url ? { href: app_url, label: say`Continue` } : undefined,
  });
}
