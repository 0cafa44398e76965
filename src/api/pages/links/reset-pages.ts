/** Pages for requesting a password reset and setting the new password. */
import express, { type Request, type Response, type Router } from 'express';
import { type Text, t } from '../../../contract/languages/text.ts';
import { activeCompanies } from '../../../identity/grants/consent.ts';
import { languageOfUser } from '../../../identity/members/own-language.ts';
import { findReset, useReset } from '../../../identity/passwords/password-resets.ts';
import { chosenPassword } from '../../../identity/passwords/password-rules.ts';
import { hashPassword } from '../../../identity/passwords/passwords.ts';
import { cookieOf, emailField, field, readForm } from '../shared/forms.ts';
import { failurePage, originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { languageOfPage, setAppLanguage, setOwnLanguage } from '../shared/page-language.ts';
import { forgotPage, noticePage, type Page, resetPage } from '../shared/pages.ts';
import { returnLink } from '../shared/return-link.ts';
import { sendTooMany, tooMany } from '../shared/typed-password.ts';
import { requireSameBrowser } from './link-pages.ts';

const maxAddressCharacters = 320;
/** As long as a sign-in may take that was interrupted to set a new password. */
const returnLifetimeMs = 3_600_000;
const reopenHint = t`Reopen the page and try again.`;

type Reset = NonNullable<Awaited<ReturnType<typeof findReset>>>;

export function resetPages(context: PageContext): Router {
  const checked = requireSameBrowser(context);
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route('/oauth/forgot')
    .get(async (req, res) => {
      const uid = rememberInteraction(context, req, res) ?? cookieOf(req, returnCookie(context).name);
      await useAppLanguage(context, res, uid);
      send(res, 200, forgotForm(context, req, res));
    })
    .post(readForm, checked, (req, res) => submitForgot(context, req, res));
  router
    .route('/oauth/reset/:token')
    .get(async (req, res) => {
      const reset = await openReset(context, req, res);
      send(res, reset ? 200 : 410, reset ? resetForm(context, req, res, reset) : invalidPage);
    })
    .post(readForm, checked, (req, res) => submitReset(context, req as Request<{ token: string }>, res));
  router.use(['/oauth/forgot', '/oauth/reset'], failurePage(context.log, reopenHint));
  return router;
}

/** Responds identically for every address; a job checks whether an account exists. */
async function submitForgot(context: PageContext, req: Request, res: Response): Promise<void> {
  await useAppLanguage(context, res, cookieOf(req, returnCookie(context).name));
  const email = emailField(req, 'email');
  const invalid = !email.includes('@') || email.length > maxAddressCharacters;
  if (invalid) return send(res, 400, forgotForm(context, req, res, email, t`Type the whole address.`));
  const waitS = await context.limits.resetRequest(req.ip);
  if (waitS > 0) return sendTooMany(res, waitS, forgotForm(context, req, res, email, tooMany(waitS)));
  const requester = { address: req.ip, deviceCookies: context.devices.valuesOf(req) };
  await context.resets.request(context.db.global, email, languageOfPage(res), requester);
  send(res, 200, linkSentPage(email));
}

async function submitReset(context: PageContext, req: Request<{ token: string }>, res: Response): Promise<void> {
  const { db, mail, limits } = context;
  const { token } = req.params;
  const reset = await openReset(context, req, res);
  if (!reset) return send(res, 410, invalidPage);
  const companies = await activeCompanies(db, reset.id);
  const known = [reset.name, reset.email, ...companies.map((company) => company.name)];
  const chosen = chosenPassword(field(req, 'password'), field(req, 'password_again'), known);
  if ('problem' in chosen) return send(res, 400, resetForm(context, req, res, reset, chosen.problem));
  const used = await useReset(
    db,
    mail,
    token,
    await hashPassword(chosen.password),
    languageOfPage(res),
    originOfPage(req, res),
  );
  if (!used) return send(res, 410, invalidPage);
  await limits.resetFailures(reset.id);
  context.devices.remember(req, res, reset.id);
  const back = await waitingInteraction(context, req);
  if (back) return res.redirect(303, back);
  send(res, 200, passwordChangedPage(context));
}

/** Sets the page's language to the owner's. @returns the reset */
async function openReset(context: PageContext, req: Request, res: Response) {
  await useAppLanguage(context, res, cookieOf(req, returnCookie(context).name));
  const reset = await findReset(context.db, String(req.params.token));
  if (reset) setOwnLanguage(res, await languageOfUser(context.db, reset.id));
  return reset;
}

/** Uses the language that the app requested, found by its sign-in page. @param uid of that interaction */
async function useAppLanguage(context: PageContext, res: Response, uid: string | undefined): Promise<void> {
  const interaction = uid === undefined ? undefined : await context.provider().Interaction.find(uid);
  setAppLanguage(res, interaction?.params.ui_locales);
}

/** Remembers the interrupted sign-in, to continue it afterwards. @returns its id */
function rememberInteraction(context: PageContext, req: Request, res: Response): string | undefined {
  const uid = req.query.interaction;
  if (typeof uid !== 'string' || !/^[\w-]{1,64}$/.test(uid)) return undefined;
  const { name, ...attributes } = returnCookie(context);
  res.cookie(name, uid, { ...attributes, maxAge: returnLifetimeMs });
  return uid;
}

async function waitingInteraction(context: PageContext, req: Request): Promise<string | undefined> {
  const uid = cookieOf(req, returnCookie(context).name);
  const interaction = uid === undefined ? undefined : await context.provider().Interaction.find(uid);
  if (interaction?.prompt.name !== 'login') return undefined;
  return `/oauth/interaction/${uid}?notice=password-changed`;
}

function returnCookie({ base_url: baseUrl }: PageContext) {
  const secure = baseUrl.startsWith('https:');
  const name = secure ? '__Host-return' : 'oauth_return';
  return { name, httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
}

function forgotForm(context: PageContext, req: Request, res: Response, email = '', error?: Text): Page {
  return forgotPage({ action: req.path, csrf_token: context.forms.browserToken(req, res), email, error });
}

function resetForm(context: PageContext, req: Request, res: Response, { email }: Reset, error?: Text): Page {
  return resetPage({ action: req.path, csrf_token: context.forms.browserToken(req, res), email, error });
}

function linkSentPage(email: string): Page {
  return noticePage({
    title: t`Check your inbox`,
    text: [
      t`If an account uses ${email}, we sent it a link. The link works once and expires in half an hour.`,
      t`No email after a few minutes? Check your spam folder, then try again. We send only a few emails a day.`,
    ],
  });
}

const invalidPage = noticePage({
  title: t`This link no longer works`,
  text: [t`A password reset link works once and expires in half an hour. You can get a new one.`],
  link: { href: '/oauth/forgot', label: t`Get a new link` },
});

function passwordChangedPage(context: PageContext): Page {
  return noticePage({
    title: t`Your password was changed`,
    text: [
      t`You were signed out of all apps and browsers. Go back to the app you want to use, and sign in with the new password.`,
    ],
    link: returnLink(context),
  });
}
