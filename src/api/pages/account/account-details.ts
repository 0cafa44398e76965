import type { Router } from 'express';
import { emailProblem } from '../../../contract/error-messages.ts';
import { type Text, t } from '../../../contract/languages/text.ts';
import { oneLine } from '../../../contract/texts/one-line.ts';
import { activeCompanies } from '../../../identity/grants/consent.ts';
import { changePassword } from '../../../identity/passwords/change-password.ts';
import { chosenPassword, passwordCharacters } from '../../../identity/passwords/password-rules.ts';
import { hashPassword, passwordMark } from '../../../identity/passwords/passwords.ts';
import { maxNameCharacters, nameProblem, renameUser } from '../../../identity/users/user-name.ts';
import { requestOwnAddress } from '../../../product/sign-in-address/own-address.ts';
import { emailField, field } from '../shared/forms.ts';
import { originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { languageOfPage } from '../shared/page-language.ts';
import { noticePage, ownForm, type Page, page } from '../shared/pages.ts';
import { sendTooMany, tooMany } from '../shared/typed-password.ts';
import { accountRoutes, type Visit } from './account-visit.ts';

const maxAddressCharacters = 254;

const backLink = { href: '/account', label: t`Back to your account` };

export function accountDetailPages(context: PageContext): Router[] {
  const proof = t`Before you change your account, confirm your identity.`;
  return [
    accountRoutes(context, {
      path: '/account/name',
      proof,
      show: async (visit) => namePage(visit, visit.user.name),
      submit: submitName,
    }),
    accountRoutes(context, {
      path: '/account/address',
      proof,
      show: async (visit) => addressForm(visit, ''),
      submit: submitAddress,
    }),
    accountRoutes(context, {
      path: '/account/password',
      proof,
      show: async (visit) => passwordForm(visit),
      submit: submitPassword,
    }),
  ];
}

async function submitName(visit: Visit): Promise<void> {
  const { context, req, res, user } = visit;
  const name = oneLine(field(req, 'name'));
  const problem = nameProblem(name);
  if (problem) return send(res, 400, namePage(visit, name, problem));
  await renameUser(context.db, user.id, name, originOfPage(req, res));
  send(res, 200, renamedPage);
}

function namePage({ form }: Visit, name: string, error?: Text): Page {
  const title = t`Your name`;
  return page('@account/name', { ...form, title, name, longest_name_characters: maxNameCharacters, error }, ownForm);
}

const renamedPage = noticePage({
  title: t`Your name was changed`,
  text: [t`Emails about your account use it from now on. Your companies’ records aren’t changed.`],
  link: backLink,
});

async function submitAddress(visit: Visit): Promise<void> {
  const { context, req, res, user } = visit;
  const email = emailField(req, 'email');
  const problem = addressProblem(email, user.email);
  if (problem) return send(res, 400, addressForm(visit, email, problem));
  const waitS = await context.limits.addressChange(user.id);
  if (waitS > 0) return sendTooMany(res, waitS, addressForm(visit, email, tooMany(waitS)));
  const { db, mail, ownAddressLinks: links, base_url: baseUrl } = context;
  const requester = { user, origin: originOfPage(req, res), language: languageOfPage(res) };
  await requestOwnAddress({ db, mail, links, base_url: baseUrl }, requester, email);
  send(res, 200, linkSentPage(email));
}

function addressProblem(email: string, present: string): Text | undefined {
  if (email === '' || email.length > maxAddressCharacters) return t`Type the whole address.`;
  const problem = emailProblem(email);
  if (problem) return problem;
  return email.toLowerCase() === present.toLowerCase() ? t`That is the address you sign in with.` : undefined;
}

function addressForm({ form, user }: Visit, email: string, error?: Text): Page {
  const title = t`Your address`;
  return page('@account/address', { ...form, title, present: user.email, email, error }, ownForm);
}

const linkSentPage = (email: string) =>
  noticePage({
    title: t`Check your inbox`,
    text: [
      t`We sent a link to ${email}. Open it within a day and confirm your identity.`,
      t`Until then, sign in with your current address. We’ll notify that address when it changes.`,
    ],
    link: backLink,
  });

async function submitPassword(visit: Visit): Promise<void> {
  const { context, req, res, user, session } = visit;
  const { db, mail, limits } = context;
  const companies = await activeCompanies(db, user.id);
  const known = [user.name, user.email, ...companies.map(({ name }) => name)];
  const chosen = chosenPassword(field(req, 'password'), field(req, 'password_again'), known);
  if ('problem' in chosen) return send(res, 400, passwordForm(visit, chosen.problem));
  const passwordHash = await hashPassword(chosen.password);
  const requestInfo = [languageOfPage(res), session.uid, originOfPage(req, res)] as const;
  const changed = await changePassword(db, mail, user, passwordHash, ...requestInfo);
  if (!changed) return res.redirect(303, visit.form.action); // concurrently changed, which ended this session
  // Keeps this browser signed in, but invalidates copies of its session.
  session.acr = passwordMark(passwordHash);
  await visit.renew();
  await limits.resetFailures(user.id);
  send(res, 200, passwordChanged);
}

function passwordForm({ form, user }: Visit, error?: Text): Page {
  const title = t`Choose a new password`;
  return page(
    '@account/password',
    { ...form, title, password_characters: passwordCharacters, email: user.email, error },
    ownForm,
  );
}

const passwordChanged = noticePage({
  title: t`Your password was changed`,
  text: [t`You are still signed in here. All apps and all other browsers were signed out.`],
  link: backLink,
});
