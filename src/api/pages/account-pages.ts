/** The page about one's own account: who one is, and where; and the end of every session and of everything that was allowed to apps. */
import express, { type Request, type Response, type Router } from 'express';
import { say } from '../../contract/languages/text.ts';
import { activeCompanies } from '../../identity/grants/consent.ts';
import { endAllAccess } from '../../identity/grants/revoke-access.ts';
import { recordForUser } from '../../platform/audit/account-entries.ts';
import { readForm } from './forms.ts';
import { roles } from './interactions.ts';
import { fromThisBrowser } from './link-pages.ts';
import { failurePage, originOfPage, type PageContext, send } from './page-context.ts';
import { accountPage, noticePage } from './pages.ts';
import { sessionOf, userOf } from './sign-out.ts';

const open_again = say`Open the page again, and try once more.`;

export function accountPages(context: PageContext): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route('/account')
    .get((req, res) => show(context, req, res))
    .post(readForm, fromThisBrowser(context), (req, res) => signOutEverywhere(context, req, res));
  router.use('/account', failurePage(context.log, open_again));
  return router;
}

async function show(context: PageContext, req: Request, res: Response): Promise<void> {
  const { session } = await sessionOf(context, req, res);
  const user = session.accountId && (await userOf(context, session.accountId));
  if (!user) return send(res, 200, notSignedIn);
  const companies = (await activeCompanies(context.db, session.accountId!)).map(({ name, role }) => ({
    name,
    role: roles[role]!,
  }));
  const csrf_token = context.forms.browserToken(req, res);
  send(res, 200, accountPage({ action: req.path, csrf_token, user, companies }));
}

/** Needs no password: it takes access away, and gives none. */
async function signOutEverywhere(context: PageContext, req: Request, res: Response): Promise<void> {
  const { db, encryption_keys } = context;
  const { session, forget } = await sessionOf(context, req, res);
  const { accountId: user_id } = session;
  if (!user_id) return send(res, 200, notSignedIn);
  const ended = await db.global.transaction().execute((tx) => endAllAccess(tx, encryption_keys, user_id));
  await recordForUser(db, user_id, {
    action: 'access.revoked',
    actor: { type: 'user', user_id },
    origin: originOfPage(req, res),
    target: { type: 'user', id: user_id },
    details: ended,
  });
  forget();
  res.set('Clear-Site-Data', '"cache", "storage"');
  send(res, 200, signedOut);
}

const notSignedIn = noticePage({
  title: say`You are not signed in`,
  text: [say`Open the app that you work with, and sign in. Then come back to this page.`],
});

const signedOut = noticePage({
  title: say`You are signed out everywhere`,
  text: [say`Every browser and every app has to sign in again. What they could do has ended.`],
});
