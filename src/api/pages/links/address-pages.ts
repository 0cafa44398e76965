/**
 * The page behind the link mailed to a new address, which a company entered in its record or the person requested. After a proof
 * of the account the new address signs in. The page shows what the company's record says, and nothing of the account.
 */
import type { Router } from 'express';
import type { Language } from '../../../contract/languages/language.ts';
import { type Text, t } from '../../../contract/languages/text.ts';
import { languageOfUser } from '../../../identity/members/own-language.ts';
import type { Origin } from '../../../platform/audit/entry.ts';
import type { Confirmation } from '../../../product/sign-in-address/move-user.ts';
import { confirmOwnAddress, findOwnChange } from '../../../product/sign-in-address/own-address.ts';
import { confirmAddress, findAddressChange } from '../../../product/sign-in-address/sign-in-address.ts';
import { originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { languageOfPage } from '../shared/page-language.ts';
import { addressPage, noticePage, type Page } from '../shared/pages.ts';
import { returnLink } from '../shared/return-link.ts';
import { type LinkTurn, linkPages } from './link-pages.ts';
import { isProved } from './link-proof.ts';

const reopenHint = t`Reopen the link in your email and try again.`;
const wrongPassword = t`That is not the password you sign in with.`;
const taken = t`Another account signs in with this address, so keep signing in with your current one. Once that account has another address, open this link again. If you exchange addresses with that person, one of you first needs a third address: set it on your account page.`;

interface Found {
  /** Undefined if the person requested the change. */
  company: { name: string; person: string } | undefined;
  email: string;
  language: Language | undefined;
  user: { id: string; name: string; email: string; password_hash: string | null };
  /** @param language of the mail to the old address */
  confirm(language: Language, origin: Origin): Promise<Confirmation>;
}

type Turn = LinkTurn<Found>;

export function addressPages(context: PageContext): Router {
  return linkPages(context, {
    path: '/oauth/address',
    find: async (token) => (await findCompanyRequest(context, token)) ?? (await findPersonRequest(context, token)),
    formOf,
    submit,
    invalidPage,
    advice: reopenHint,
  });
}

async function findCompanyRequest({ db, mail, addressLinks }: PageContext, token: string): Promise<Found | undefined> {
  const found = await findAddressChange(db, addressLinks, token);
  if (!found) return undefined;
  const { company, name, email, language, user } = found;
  return {
    company: { name: company, person: name },
    email,
    language,
    user,
    confirm: (mailLanguage, origin) => confirmAddress(db, mail, addressLinks, token, user.id, mailLanguage, origin),
  };
}

async function findPersonRequest(
  { db, mail, ownAddressLinks }: PageContext,
  token: string,
): Promise<Found | undefined> {
  const found = await findOwnChange(db, ownAddressLinks, token);
  return (
    found && {
      ...found,
      company: undefined,
      language: await languageOfUser(db, found.user.id),
      confirm: (mailLanguage, origin) => confirmOwnAddress(db, mail, found, mailLanguage, origin),
    }
  );
}

async function submit(turn: Turn): Promise<void> {
  const { context, req, res, found } = turn;
  const user = { ...found.user, password_hash: found.user.password_hash ?? '' };
  const label = t`Sign in with this address`;
  const formWith = (error: Text) => formOf(turn, error);
  if (!(await isProved(turn, { user, wrong: wrongPassword, label, formWith }))) return;
  // The language of the account, whose owner was just proved.
  const language = (await languageOfUser(context.db, user.id)) ?? languageOfPage(res);
  const result = await found.confirm(language, originOfPage(req, res));
  if (result === 'gone') return send(res, 410, invalidPage);
  if (result === 'taken') return send(res, 409, formOf(turn, taken));
  send(res, 200, confirmed(found, context));
}

function formOf({ context, req, res, found }: Turn, error?: Text): Page {
  const { company, email } = found;
  const csrfToken = context.forms.browserToken(req, res);
  return addressPage({ company, email, action: req.path, csrf_token: csrfToken, error });
}

const invalidPage = noticePage({
  title: t`This link no longer works`,
  text: [
    t`Links to change your sign-in address work once and expire after a few days. Only the latest one works.`,
    t`Already used it? Sign in with the new address.`,
  ],
});

function confirmed({ email }: Found, context: PageContext): Page {
  return noticePage({
    title: t`Your address was changed`,
    text: [t`From now on, sign in with ${email} and your current password. Password reset links go there, too.`],
    link: returnLink(context),
  });
}
