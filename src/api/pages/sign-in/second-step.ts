/**
 * The step after the password: the second factor, or its setup. A passkey replaces both steps. The session is only created after
 * the full proof, so no other URL can skip a step; the partial proof is encrypted in the form (`signed-so-far.ts`).
 */
import { type Text, t } from '../../../contract/languages/text.ts';
import { methods, requiresTwoFactors } from '../../../identity/factors/authentication.ts';
import { hasFactor } from '../../../identity/factors/factors.ts';
import { companyRequiresSecondFactor } from '../../../identity/factors/needs-factor.ts';
import { languageOfUser } from '../../../identity/members/own-language.ts';
import { levelParameter } from '../../../identity/provider/policy.ts';
import { isOfProvider } from '../../../identity/provider-users/provider-mark.ts';
import { recoveryCodesPage, setUpPage } from '../factors/factor-forms.ts';
import {
  type FactorRequest,
  isProvingStep,
  type ProvingStep,
  provedFactor,
  requestFactor,
} from '../factors/factor-request.ts';
import { findSignedUser, openSignedTicket, type SignedUser, signedTicket } from '../factors/partial-proof.ts';
import { confirmApp, confirmPasskey, keyForm } from '../factors/set-up.ts';
import { field } from '../shared/forms.ts';
import { originOfPage, send } from '../shared/page-context.ts';
import { languageOfPage, setOwnLanguage } from '../shared/page-language.ts';
import type { Page } from '../shared/pages.ts';
import { creationForm, passkeyOwner, stalePasskey } from '../shared/passkey-forms.ts';
import { sendTooMany, tooMany } from '../shared/typed-password.ts';
import { completeSignIn, type Turn } from './interaction-turn.ts';

const timedOut = t`That took too long. Sign in again.`;
const unknownPasskey = t`That passkey does not belong to an account here. Sign in with your password.`;
const needsFactor = t`You need a second factor to continue. Setting it up takes a minute, and you’ll use it whenever you sign in.`;

const steps = ['prove-code', 'prove-passkey', 'confirm-app', 'add-passkey', 'continue'] as const;
type Step = (typeof steps)[number];

export function isStep(action: string): action is Step {
  return (steps as readonly string[]).includes(action);
}

export function passkeyPurpose({ uid }: { uid: string }): string {
  return `sign-in\n${uid}`;
}

/** Requests the missing step, or completes the sign-in. */
export async function afterPassword(turn: Turn, user: SignedUser): Promise<void> {
  const { db, res, interaction } = turn;
  setOwnLanguage(res, await languageOfUser(db, user.id));
  if (await hasFactor(db.global, user.id))
    return send(res, 200, await requestFactor(turn, factorRequestOf(turn, user)));
  const isRequired =
    requiresTwoFactors(interaction.params[levelParameter]) || (await companyRequiresSecondFactor(db, user.id));
  if (isRequired) return send(res, 200, await setUp(turn, user));
  await completeSignIn(turn, user, methods.password);
}

/** After a sign-in by a company's provider. @param hasOwn whether the person already has a factor */
export async function requestOwnFactor(turn: Turn, user: SignedUser, hasOwn: boolean): Promise<void> {
  send(turn.res, 200, hasOwn ? await requestFactor(turn, factorRequestOf(turn, user)) : await setUp(turn, user));
}

/** @param formWith the first page again, to start over */
export async function submitStep(turn: Turn, step: Step, formWith: (error: Text) => Page): Promise<void> {
  const user = await openPartialProof(turn, step);
  if (!user) return send(turn.res, 401, formWith(timedOut));
  setOwnLanguage(turn.res, await languageOfUser(turn.db, user.id));
  if (step === 'continue') return completeSignIn(turn, user, methods.code);
  if (isProvingStep(step)) return submitFactor(turn, user, step);
  await submitSetUp(turn, user, step);
}

export async function submitPasskey(turn: Turn, formWith: (error: Text) => Page): Promise<void> {
  const { db, req, res, factors, interaction, limits, log } = turn;
  const purpose = passkeyPurpose(interaction);
  const waitS = await limits.signIn(purpose, req.ip);
  if (waitS > 0) return sendTooMany(res, waitS, formWith(tooMany(waitS)));
  const userId = await passkeyOwner(db.global, factors, purpose, req);
  if (userId === 'stale') return send(res, 401, formWith(stalePasskey));
  const user = userId && (await findSignedUser(db, userId));
  // For users of a provider, a passkey adds to the provider's sign-in and never replaces it.
  if (!user || isOfProvider(user.password_hash)) {
    log?.info({ user_id: userId ?? null, ip: req.ip }, 'wrong passkey');
    return send(res, 401, formWith(unknownPasskey));
  }
  await limits.signedIn(purpose, req.ip);
  await completeSignIn(turn, user, methods.passkey);
}

async function submitFactor(turn: Turn, user: SignedUser, step: ProvingStep): Promise<void> {
  const { req, res } = turn;
  const amr = await provedFactor(turn, step, { req, res, factorRequest: factorRequestOf(turn, user) });
  if (amr) await completeSignIn(turn, user, amr);
}

function factorRequestOf(turn: Turn, user: SignedUser): FactorRequest {
  return { user, form: turn.form, label: t`Sign in`, purpose: purposes(turn).signed('prove') };
}

async function submitSetUp(turn: Turn, user: SignedUser, step: 'confirm-app' | 'add-passkey'): Promise<void> {
  const { req, res, form, factors } = turn;
  const language = languageOfPage(res);
  const origin = originOfPage(req, res);
  const setup = { req, user, purpose: purposes(turn).setUp, language, origin, onlyFirst: true };
  const added = await (step === 'confirm-app' ? confirmApp(turn, setup) : confirmPasskey(turn, setup));
  if ('problem' in added) return send(res, 400, await setUp(turn, user, added.problem));
  const signed = signedTicket(factors.steps, purposes(turn).signed('continue'), user);
  send(res, 200, recoveryCodesPage({ ...form, codes: added.codes, signed }));
}

async function setUp(turn: Turn, user: SignedUser, error?: Text): Promise<Page> {
  const { db, form, factors, req } = turn;
  const purpose = purposes(turn).setUp;
  const passkey = await creationForm(db.global, factors, purpose, user);
  const key = keyForm(turn, { purpose, user }, field(req, 'secret'));
  const signed = signedTicket(factors.steps, purposes(turn).signed('set-up'), user);
  return setUpPage({ ...form, ...key, lead: needsFactor, signed, passkey, error });
}

/** Proofs of a step, which decide about the next; each has its own tickets. */
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
    setUp: `set up\n${uid}`,
  };
}

async function openPartialProof(turn: Turn, step: Step): Promise<SignedUser | undefined> {
  const { db, factors, req } = turn;
  return openSignedTicket(db, factors.steps, purposes(turn).signed(provedBefore[step]), field(req, 'signed'));
}
