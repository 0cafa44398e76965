/** Ends this browser's session and the console's grant. Grants of apps stay; they end in the app, or with a new password. */
import express, { type Request, type Response, type Router } from 'express';
import { t } from '../../../contract/languages/text.ts';
import { consoleClient } from '../../../identity/clients/console-client.ts';
import { revokeGrant } from '../../../identity/grants/grants.ts';
import { languageOfUser } from '../../../identity/members/own-language.ts';
import { recordForGrants } from '../../../platform/audit/account-entries.ts';
import { readForm } from '../shared/forms.ts';
import { failurePage, originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { setOwnLanguage } from '../shared/page-language.ts';
import { noticePage, signOutPage } from '../shared/pages.ts';

const reopenHint = t`Reopen the page and try again.`;

export function signOutPages(context: PageContext): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route('/oauth/sign-out')
    .get((req, res) => show(context, req, res))
    .post(readForm, (req, res) => submit(context, req, res));
  router.use('/oauth/sign-out', failurePage(context.log, reopenHint));
  return router;
}

async function show(context: PageContext, req: Request, res: Response): Promise<void> {
  const { session } = await sessionOf(context, req, res);
  const user = session.accountId && (await userOf(context, session.accountId));
  if (!user) return send(res, 200, signedOut);
  const csrfToken = context.forms.browserToken(req, res);
  send(res, 200, signOutPage({ action: req.path, csrf_token: csrfToken, user }));
}

async function submit(context: PageContext, req: Request, res: Response): Promise<void> {
  context.forms.checkBrowser(req);
  const { session, forget } = await sessionOf(context, req, res);
  const { accountId: userId } = session;
  if (userId) {
    // Like the sign-in, it is recorded in the companies that apps of this browser have access to.
    const grantIds = Object.values(session.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []);
    const consoleGrantId = session.authorizations?.[consoleClient.id]?.grantId;
    await session.destroy();
    if (consoleGrantId) await revokeGrant(context.db.global, consoleGrantId);
    await recordForGrants(context.db, grantIds, {
      action: 'sign_out',
      actor: { type: 'user', user_id: userId },
      origin: originOfPage(req, res),
      target: { type: 'user', id: userId },
    });
  }
  forget();
  // Storage of this origin's pages. Not "cookies", which would include those of all subdomains.
  res.set('Clear-Site-Data', '"cache", "storage"');
  send(res, 200, signedOut);
}

export async function sessionOf({ provider: current, db }: PageContext, req: Request, res: Response) {
  const provider = current();
  const koa = provider.createContext(req, res);
  const session = await provider.Session.get(koa);
  const { secure } = koa;
  const options = { httpOnly: true, sameSite: 'lax', secure, signed: false, path: '/' } as const;
  const { accountId } = session;
  if (accountId) setOwnLanguage(res, await languageOfUser(db, accountId));
  const name = provider.cookieName('session');
  const forget = () => {
    for (const cookie of [name, `${name}.sig`]) koa.cookies.set(cookie, null, options);
  };
  const renew = async () => {
    session.resetIdentifier();
    await session.persist();
    koa.cookies.set(name, session.jti, { ...options, signed: true, expires: new Date(session.exp! * 1_000) });
  };
  return { session, forget, renew };
}

async function userOf({ db }: PageContext, id: string) {
  return db.global.selectFrom('users').select(['name', 'email']).where('id', '=', id).executeTakeFirst();
}

const signedOut = noticePage({
  title: t`You are signed out`,
  text: [
    t`The next app that asks you to sign in here will need your password.`,
    t`Apps that you allowed to act for you stay connected.`,
  ],
});
