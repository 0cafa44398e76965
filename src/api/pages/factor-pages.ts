/**
 * `/account/second-factor`: what somebody has besides their password, to add, name and remove. Whoever comes with a session alone
 * sees nothing of it: first they prove again who they are, by the factor they have, or by the password while they have none.
 */
import express, { type Request, type Response, type Router } from 'express';
import { say, sayMany, type Text } from '../../contract/languages/text.ts';
import { methods } from '../../identity/factors/authentication.ts';
import { recordCodesRenewed, recordFactorRemoved } from '../../identity/factors/factor-changes.ts';
import {
  type Factor,
  listFactors,
  longest_name_characters,
  removeFactor,
  renameFactor,
} from '../../identity/factors/factors.ts';
import { companyAsksForFactor } from '../../identity/factors/needs-factor.ts';
import { recoveryCodesLeft, renewRecoveryCodes } from '../../identity/factors/recovery-codes.ts';
import { factorsPage, proofPage, recoveryCodesPage, setUpPage } from './factor-forms.ts';
import { field, readForm } from './forms.ts';
import { failurePage, originOfPage, type PageContext, send } from './page-context.ts';
import { languageOfPage } from './page-language.ts';
import { noticePage, type Page } from './pages.ts';
import { creationForm, passkeyOwner, requestForm } from './passkey-forms.ts';
import { confirmApp, confirmPasskey, keyForm } from './set-up.ts';
import { sessionOf } from './sign-out.ts';
import { isRightCode } from './typed-code.ts';
import { isRightPassword } from './typed-password.ts';

const path = '/account/second-factor';

const open_again = say`Open the page again, and try once more.`;
const wrong_password = say`That is not the password of your account.`;
const wrong_passkey = say`That passkey was not accepted. Try again, or type a code.`;
const scan = say`From then on, signing in takes a code of the app, besides the password.`;
const last_one = say`A company you work for asks for a second factor. Add another one before you remove this.`;

type Session = Awaited<ReturnType<typeof sessionOf>>['session'];

interface Visit {
  context: PageContext;
  req: Request;
  res: Response;
  session: Session & { accountId: string };
  user: { id: string; name: string; email: string; password_hash: string | null };
  factors: Factor[];
}

export function factorPages(context: PageContext): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route(path)
    .get(async (req, res) => {
      const visit = await visitOf(context, req, res);
      if (!visit) return send(res, 401, signed_out);
      send(res, 200, await (isProved(visit) ? list(visit) : gate(visit)));
    })
    .post(readForm, async (req, res) => {
      context.forms.checkBrowser(req);
      const visit = await visitOf(context, req, res);
      if (!visit) return send(res, 401, signed_out);
      await submit(visit);
    });
  router.use(path, failurePage(context.log, open_again));
  return router;
}

async function visitOf(context: PageContext, req: Request, res: Response): Promise<Visit | undefined> {
  const { session } = await sessionOf(context, req, res);
  const { accountId } = session;
  if (!accountId) return undefined;
  const { global } = context.db;
  const [user, factors] = await Promise.all([
    global
      .selectFrom('users')
      .select(['id', 'name', 'email', 'password_hash'])
      .where('id', '=', accountId)
      .executeTakeFirst(),
    listFactors(global, accountId),
  ]);
  return user && { context, req, res, session: Object.assign(session, { accountId }), user, factors };
}

const isProved = ({ context, req, session }: Visit) => context.proofs.has(req, session);

async function submit(visit: Visit): Promise<void> {
  const { req, res } = visit;
  const action = field(req, 'action');
  if (action === 'prove') return prove(visit);
  if (action === 'prove-passkey') return provePasskey(visit);
  if (!isProved(visit)) return send(res, 403, await gate(visit));
  if (action === 'set-up') return send(res, 200, setUp(visit));
  if (action === 'confirm-app' || action === 'add-passkey') return add(visit, action);
  if (action === 'renew-codes' && visit.factors.length > 0) return renewCodes(visit);
  if (action === 'remove') return remove(visit);
  if (action === 'rename') await rename(visit);
  res.redirect(303, path);
}

async function prove(visit: Visit): Promise<void> {
  const { context, req, res, user, factors } = visit;
  const page = await gate(visit);
  const formWith = (error: Text) => page.with(error);
  const typed = { req, res, user, account: user.id, wrong: wrong_password, formWith };
  const right =
    factors.length > 0
      ? await isRightCode(context, { req, res, user, formWith })
      : await isRightPassword(context, typed);
  if (right) proved(visit);
}

async function provePasskey(visit: Visit): Promise<void> {
  const { context, req, res, user } = visit;
  const owner = await passkeyOwner(context.db.global, context.factors, purposes(visit).prove, req);
  if (owner !== user.id) return send(res, 401, (await gate(visit)).with(wrong_passkey));
  proved(visit);
}

function proved({ context, res, session }: Visit): void {
  context.proofs.give(res, session);
  res.redirect(303, path);
}

async function add(visit: Visit, action: 'confirm-app' | 'add-passkey'): Promise<void> {
  const { context, req, res, user, session } = visit;
  const { db } = context;
  const common = { req, user, purpose: purposes(visit).set_up, only_first: false };
  const set_up = { ...common, language: languageOfPage(res), origin: originOfPage(req, res) };
  const added = await (action === 'confirm-app' ? confirmApp(context, set_up) : confirmPasskey(context, set_up));
  if ('problem' in added) {
    return send(res, 400, action === 'confirm-app' ? setUp(visit, added.problem) : await list(visit, added.problem));
  }
  // They have just proved both, so this browser need not prove it again.
  if (!session.amr?.includes('mfa')) {
    session.amr = [...methods.code];
    await session.persist();
  }
  if (added.codes.length > 0) return showCodes(visit, added.codes);
  send(res, 200, await list({ ...visit, factors: await listFactors(db.global, user.id) }));
}

async function renewCodes(visit: Visit): Promise<void> {
  const { context, req, res, user } = visit;
  const codes = await context.db.global.transaction().execute((tx) => renewRecoveryCodes(tx, user.id));
  await recordCodesRenewed(context.db, user.id, originOfPage(req, res));
  showCodes(visit, codes);
}

async function remove(visit: Visit): Promise<void> {
  const { context, req, res, user } = visit;
  const { db, mail } = context;
  const may_be_last = !(await companyAsksForFactor(db, user.id));
  let removed: Factor | undefined;
  const result = await removeFactor(db.global, user.id, field(req, 'id'), may_be_last, async (tx, factor) => {
    removed = factor;
    const values = { name: user.name, factor: factor.name };
    await mail.queue(tx, { template: 'factor_removed', to: user.email, language: languageOfPage(res), values });
  });
  if (result === 'last') return send(res, 409, await list(visit, last_one));
  if (removed) await recordFactorRemoved(db, user.id, removed.kind, originOfPage(req, res));
  res.redirect(303, path);
}

async function rename({ context, req, user }: Visit): Promise<void> {
  const name = field(req, 'name').replaceAll('\0', '').trim().slice(0, longest_name_characters);
  if (name) await renameFactor(context.db.global, user.id, field(req, 'id'), name);
}

/** What every form of this page carries. */
function formOf({ context, req, res }: Visit) {
  return { action: path, csrf_token: context.forms.browserToken(req, res) };
}

function purposes({ session }: Visit) {
  return { prove: `prove\n${session.uid}`, set_up: `account\n${session.uid}` };
}

/** The page that asks who it is. */
async function gate(visit: Visit): Promise<Page & { with(error: Text): Page }> {
  const { context, user, factors } = visit;
  const has_passkey = factors.some(({ kind }) => kind === 'passkey');
  const purpose = purposes(visit).prove;
  const passkey = has_passkey ? await requestForm(context.db.global, context.factors, purpose, user.id) : undefined;
  const by_code = say`Before you see and change how you sign in, type a code of your authenticator app, or a recovery code.`;
  const by_password = say`Before you see and change how you sign in, type your password once more.`;
  const form = formOf(visit);
  const page = (error?: Text) =>
    proofPage({
      ...form,
      title: say`Confirm that it is you`,
      lead: factors.length > 0 ? by_code : by_password,
      asks_for: factors.length > 0 ? 'code' : 'password',
      step: { action: 'prove', label: say`Continue` },
      passkey,
      error,
    });
  return { ...page(), with: page };
}

async function list(visit: Visit, error?: Text): Promise<Page> {
  const { context, user, factors } = visit;
  const { db } = context;
  const left = await recoveryCodesLeft(db.global, user.id);
  return factorsPage({
    ...formOf(visit),
    factors: factors.map((factor) => ({ ...factor, used: factor.last_used_at?.slice(0, 10) })),
    codes_left: sayMany(left, say`One recovery code is left.`, say`${left} recovery codes are left.`),
    passkey: await creationForm(db.global, context.factors, purposes(visit).set_up, user),
    error,
  });
}

function setUp(visit: Visit, error?: Text): Page {
  const { context, user, req } = visit;
  const key = keyForm(context, { purpose: purposes(visit).set_up, user }, field(req, 'secret'));
  return setUpPage({ ...formOf(visit), ...key, lead: scan, passkey: undefined, error });
}

function showCodes(visit: Visit, codes: string[]): void {
  send(visit.res, 200, recoveryCodesPage({ ...formOf(visit), codes }));
}

const signed_out = noticePage({
  title: say`Sign in first`,
  text: [say`Open the app that you work with and sign in there. Then open this page again, in the same browser.`],
});
