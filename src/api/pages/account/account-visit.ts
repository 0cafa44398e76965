/**
 * One request to an account page. Without a session, or with one weaker than now required, it leads to the sign-in. A session
 * alone may only remove access. Everything else requires a fresh proof with all factors, so a stolen session can't change the
 * account.
 */
import express, { type Request, type Response, type Router } from 'express';
import { type Text, t } from '../../../contract/languages/text.ts';
import { touchDevice } from '../../../identity/devices/devices.ts';
import { needsStepUp } from '../../../identity/factors/needs-factor.ts';
import { isOfProvider } from '../../../identity/provider-users/provider-mark.ts';
import { proofPage } from '../factors/factor-forms.ts';
import { findSignedUser, type SignedUser } from '../factors/partial-proof.ts';
import { isProof, passkeyOption, verifyProof } from '../factors/proof-steps.ts';
import { field, readForm } from '../shared/forms.ts';
import { failurePage, originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { noticePage, type Page } from '../shared/pages.ts';
import { type AccountPath, notSignedIn, startSignIn } from '../sign-in/account-sign-in.ts';
import { sessionOf } from './sign-out.ts';

const reopenHint = t`Reopen the page and try again.`;

type Session = Awaited<ReturnType<typeof sessionOf>>['session'];

export interface Visit {
  context: PageContext;
  req: Request;
  res: Response;
  session: Session & { accountId: string };
  forget(): void;
  /** Saves the session under a new id, so that copies of the old cookie are useless. */
  renew(): Promise<void>;
  user: SignedUser;
  form: { action: string; csrf_token: string };
}

interface AccountPage {
  path: AccountPath;
  /** Why a fresh proof is required; undefined for pages that only remove access. */
  proof?: Text;
  show(visit: Visit): Promise<Page>;
  submit(visit: Visit, action: string): Promise<void>;
}

export function accountRoutes(context: PageContext, { path, proof, show, submit }: AccountPage): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route(path)
    .get(async (req, res) => {
      const visit = await visitOf(context, req, res, path);
      if (!visit) return;
      const page = proof && !isProved(visit) ? await gate(visit, proof) : await show(visit);
      send(res, 200, page);
    })
    .post(readForm, async (req, res) => {
      context.forms.checkBrowser(req);
      const visit = await visitOf(context, req, res, path);
      if (!visit) return;
      const action = field(req, 'action');
      if (proof && isProof(action)) return prove(visit, proof);
      if (proof && !isProved(visit)) return send(res, 403, await gate(visit, proof));
      await submit(visit, action);
    });
  router.use(path, failurePage(context.log, reopenHint));
  return router;
}

/** @returns undefined if the response redirects to the sign-in */
async function visitOf(
  context: PageContext,
  req: Request,
  res: Response,
  path: AccountPath,
): Promise<Visit | undefined> {
  const { session, forget, renew } = await sessionOf(context, req, res);
  const { accountId, amr } = session;
  const user = accountId ? await findSignedUser(context.db, accountId) : undefined;
  if (!accountId || !user || (await needsStepUp(context.db, accountId, amr))) {
    // A canceled sign-in returns here with an error; starting another would loop.
    if (req.query.error === undefined) startSignIn(context, res, path);
    else send(res, 200, notSignedIn);
    return undefined;
  }
  if (isOfProvider(user.password_hash)) {
    send(res, 403, managedByCompany);
    return undefined;
  }
  await touchDevice(context.db, session.uid, originOfPage(req, res).ip);
  const form = { action: path, csrf_token: context.forms.browserToken(req, res) };
  return { context, req, res, session: Object.assign(session, { accountId }), forget, renew, user, form };
}

/** Managed by a company's provider: the account has no password and no other company. */
const managedByCompany = noticePage({
  title: t`Your company manages your sign-in`,
  text: [
    t`You are signed in with your company’s provider. Change your password there, and ask an administrator of your company for anything else.`,
  ],
});

const isProved = ({ context, req, session }: Visit) => context.proofs.has(req, session);

async function prove(visit: Visit, reason: Text): Promise<void> {
  const { context, req, res, user, form, session } = visit;
  const first = await gateOf(visit, reason);
  const purpose = purposeOf(visit);
  const label = t`Continue`;
  if (!(await verifyProof(context, { req, res, user, purpose, form, label, first }))) return;
  context.proofs.issue(res, session);
  res.redirect(303, form.action);
}

async function gate(visit: Visit, reason: Text): Promise<Page> {
  return (await gateOf(visit, reason))();
}

async function gateOf(visit: Visit, lead: Text): Promise<(error?: Text) => Page> {
  const { context, user, form } = visit;
  const passkey = await passkeyOption(context, { user, purpose: purposeOf(visit) });
  return (error) =>
    proofPage({
      ...form,
      title: t`Confirm it’s you`,
      lead,
      asks_for: 'password',
      step: { action: 'prove', label: t`Continue` },
      passkey,
      passkey_step: 'passkey',
      error,
    });
}

/** A proof counts for the session, and so for all account pages. */
function purposeOf({ session }: Visit): string {
  return `proof\n${session.uid}`;
}
