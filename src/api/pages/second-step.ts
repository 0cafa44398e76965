/**
 * What follows the password in a sign-in: the second factor of who has one, and setting one up for who has none and needs one. Or a
 * passkey comes instead of all of it.
 *
 * Nothing of it is in the session before everything was proved, so there is nothing to go on with by another address. What was
 * proved so far stands sealed in the form: for this sign-in, this person and the password they had, for some minutes.
 */
import { say, type Text } from '../../contract/languages/text.ts';
import { asksForTwo, methods } from '../../identity/factors/authentication.ts';
import { openTicket, ticketOf } from '../../identity/factors/challenges.ts';
import { hasFactor, listFactors } from '../../identity/factors/factors.ts';
import { companyAsksForFactor } from '../../identity/factors/needs-factor.ts';
import { languageOfUser } from '../../identity/members/own-language.ts';
import { passwordMark } from '../../identity/passwords/passwords.ts';
import { level_parameter } from '../../identity/provider/policy.ts';
import { proofPage, recoveryCodesPage, setUpPage } from './factor-forms.ts';
import { field } from './forms.ts';
import { completeSignIn, type Turn } from './interaction-turn.ts';
import { originOfPage, send } from './page-context.ts';
import { languageOfPage, setOwnLanguage } from './page-language.ts';
import type { Page } from './pages.ts';
import { creationForm, passkeyOwner, requestForm } from './passkey-forms.ts';
import { confirmApp, confirmPasskey, keyForm } from './set-up.ts';
import { isRightCode } from './typed-code.ts';
import { sendTooMany, tooMany } from './typed-password.ts';

const step_lifetime_ms = 15 * 60_000;

const took_too_long = say`That took too long. Sign in again.`;
const unknown_passkey = say`That passkey does not belong to an account here. Sign in with your password.`;
const wrong_passkey = say`That passkey was not accepted. Try again, or type a code.`;
const needs_factor = say`You need a second factor to go on. It takes a minute, and is asked for whenever you sign in.`;

interface SignedUser {
  id: string;
  name: string;
  email: string;
  password_hash: string;
}

const steps = ['prove-code', 'prove-passkey', 'confirm-app', 'add-passkey', 'continue'] as const;
type Step = (typeof steps)[number];

export function isStep(action: string): action is Step {
  return (steps as readonly string[]).includes(action);
}

/** What challenges of a sign-in's first page are for. */
export function passkeyPurpose({ uid }: { uid: string }): string {
  return `sign-in\n${uid}`;
}

/** Asks for what is missing, or signs in. */
export async function afterPassword(turn: Turn, user: SignedUser): Promise<void> {
  const { db, res, interaction } = turn;
  setOwnLanguage(res, await languageOfUser(db, user.id));
  if (await hasFactor(db.global, user.id)) return send(res, 200, await proof(turn, user));
  const is_asked = asksForTwo(interaction.params[level_parameter]) || (await companyAsksForFactor(db, user.id));
  if (is_asked) return send(res, 200, await setUp(turn, user));
  await completeSignIn(turn, user, methods.password);
}

/** @param formWith the first page once more, for who has to begin again */
export async function submitStep(turn: Turn, step: Step, formWith: (error: Text) => Page): Promise<void> {
  const user = await signedSoFar(turn, step);
  if (!user) return send(turn.res, 401, formWith(took_too_long));
  setOwnLanguage(turn.res, await languageOfUser(turn.db, user.id));
  if (step === 'continue') return completeSignIn(turn, user, methods.code);
  if (step === 'prove-code') return submitCode(turn, user);
  if (step === 'prove-passkey') return submitSecondPasskey(turn, user);
  await submitSetUp(turn, user, step);
}

/** A passkey instead of address and password. */
export async function submitPasskey(turn: Turn, formWith: (error: Text) => Page): Promise<void> {
  const { db, req, res, factors, interaction, limits, log } = turn;
  const account = passkeyPurpose(interaction);
  const wait_s = await limits.signIn(account, req.ip);
  if (wait_s > 0) return sendTooMany(res, wait_s, formWith(tooMany(wait_s)));
  const user_id = await passkeyOwner(db.global, factors, passkeyPurpose(interaction), req);
  const user = user_id && (await findUser(turn, user_id));
  if (!user) {
    log?.info({ user_id: user_id ?? null, ip: req.ip }, 'wrong passkey');
    return send(res, 401, formWith(unknown_passkey));
  }
  await limits.signedIn(account, req.ip);
  await completeSignIn(turn, user, methods.passkey);
}

async function submitCode(turn: Turn, user: SignedUser): Promise<void> {
  const { req, res } = turn;
  const page = await proof(turn, user);
  const formWith = (error: Text) => page.with(error);
  if (!(await isRightCode(turn, { req, res, user, formWith }))) return;
  await completeSignIn(turn, user, methods.code);
}

async function submitSecondPasskey(turn: Turn, user: SignedUser): Promise<void> {
  const { db, req, res, factors } = turn;
  const owner = await passkeyOwner(db.global, factors, purposes(turn).passkey, req);
  if (owner === user.id) return completeSignIn(turn, user, methods.password_and_passkey);
  send(res, 401, (await proof(turn, user)).with(wrong_passkey));
}

async function submitSetUp(turn: Turn, user: SignedUser, step: 'confirm-app' | 'add-passkey'): Promise<void> {
  const { req, res, form } = turn;
  const language = languageOfPage(res);
  const origin = originOfPage(req, res);
  const set_up = { req, user, purpose: purposes(turn).set_up, language, origin, only_first: true };
  const added = await (step === 'confirm-app' ? confirmApp(turn, set_up) : confirmPasskey(turn, set_up));
  if ('problem' in added) return send(res, 400, await setUp(turn, user, added.problem));
  const signed = signedTicket(turn, user, 'continue');
  send(res, 200, recoveryCodesPage({ ...form, codes: added.codes, signed }));
}

/** The page that asks for the second factor. */
async function proof(turn: Turn, user: SignedUser): Promise<Page & { with(error: Text): Page }> {
  const { db, form, factors } = turn;
  const kinds = new Set((await listFactors(db.global, user.id)).map(({ kind }) => kind));
  const passkey = kinds.has('passkey')
    ? await requestForm(db.global, factors, purposes(turn).passkey, user.id)
    : undefined;
  const lead = kinds.has('totp')
    ? say`Type the code that your authenticator app shows, or one of your recovery codes.`
    : say`Use your passkey, or type one of your recovery codes.`;
  const page = (error?: Text) =>
    proofPage({
      ...form,
      title: say`Confirm that it is you`,
      lead,
      asks_for: 'code',
      step: { action: 'prove-code', label: say`Sign in` },
      signed: signedTicket(turn, user, 'prove'),
      passkey,
      error,
    });
  return { ...page(), with: page };
}

async function setUp(turn: Turn, user: SignedUser, error?: Text): Promise<Page> {
  const { db, form, factors, req } = turn;
  const purpose = purposes(turn).set_up;
  const passkey = await creationForm(db.global, factors, purpose, user);
  const key = keyForm(turn, { purpose, user }, field(req, 'secret'));
  return setUpPage({ ...form, ...key, lead: needs_factor, signed: signedTicket(turn, user, 'set-up'), passkey, error });
}

/** What is proved in a step, and so what may follow: each has tickets of its own. */
type Proved = 'prove' | 'set-up' | 'continue';

const provedBefore: Record<Step, Proved> = {
  'prove-code': 'prove',
  'prove-passkey': 'prove',
  'confirm-app': 'set-up',
  'add-passkey': 'set-up',
  continue: 'continue',
};

function purposes({ interaction: { uid } }: Turn) {
  return {
    signed: (proved: Proved) => `${proved}\n${uid}`,
    passkey: `second step\n${uid}`,
    set_up: `set up\n${uid}`,
  };
}

function signedTicket(turn: Turn, { id, password_hash }: SignedUser, proved: Proved): string {
  const value = JSON.stringify({ id, mark: passwordMark(password_hash) });
  return ticketOf(turn.factors.steps, purposes(turn).signed(proved), value, step_lifetime_ms);
}

/** @returns undefined when the step was not reached in this sign-in, too long ago, or with another password */
async function signedSoFar(turn: Turn, step: Step): Promise<SignedUser | undefined> {
  const purpose = purposes(turn).signed(provedBefore[step]);
  const ticket = openTicket(turn.factors.steps, purpose, field(turn.req, 'signed'));
  if (!ticket) return undefined;
  const { id, mark } = JSON.parse(ticket) as { id: string; mark: string };
  const user = await findUser(turn, id);
  return user && passwordMark(user.password_hash) === mark ? user : undefined;
}

async function findUser({ db }: Turn, id: string): Promise<SignedUser | undefined> {
  const user = await db.global
    .selectFrom('users')
    .select(['id', 'name', 'email', 'password_hash'])
    .where('id', '=', id)
    .executeTakeFirst();
  return user?.password_hash ? { ...user, password_hash: user.password_hash } : undefined;
}
