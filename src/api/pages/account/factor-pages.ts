/** `/account/second-factor`: adds, renames, and removes second factors, after a fresh proof (`account-visit.ts`). */
import type { Router } from 'express';
import { type Text, t, tn } from '../../../contract/languages/text.ts';
import { methods } from '../../../identity/factors/authentication.ts';
import { recordCodesRenewed, recordFactorRemoved } from '../../../identity/factors/factor-changes.ts';
import {
  type Factor,
  listFactors,
  maxNameCharacters,
  removeFactor,
  renameFactor,
} from '../../../identity/factors/factors.ts';
import { companyRequiresSecondFactor } from '../../../identity/factors/needs-factor.ts';
import { remainingRecoveryCodes, renewRecoveryCodes } from '../../../identity/factors/recovery-codes.ts';
import { factorsPage, recoveryCodesPage, setUpPage } from '../factors/factor-forms.ts';
import { confirmApp, confirmPasskey, keyForm } from '../factors/set-up.ts';
import { field, nameField } from '../shared/forms.ts';
import { originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { languageOfPage } from '../shared/page-language.ts';
import type { Page } from '../shared/pages.ts';
import { creationForm } from '../shared/passkey-forms.ts';
import { type Visit as AccountVisit, accountRoutes } from './account-visit.ts';

const path = '/account/second-factor';

const proofReason = t`Before you view and change your sign-in methods, confirm your identity.`;
const setUpLead = t`From then on, you sign in with your password and a code from the app.`;
const lastFactorError = t`A company you belong to requires a second factor. Add another one before you remove this one.`;

interface Visit extends AccountVisit {
  factors: Factor[];
}

export function factorPages(context: PageContext): Router {
  const withFactors = async (visit: AccountVisit): Promise<Visit> => {
    return { ...visit, factors: await listFactors(context.db.global, visit.user.id) };
  };
  return accountRoutes(context, {
    path,
    proof: proofReason,
    show: async (visit) => list(await withFactors(visit)),
    submit: async (visit, action) => submit(await withFactors(visit), action),
  });
}

async function submit(visit: Visit, action: string): Promise<void> {
  if (action === 'set-up') return send(visit.res, 200, setUp(visit));
  if (action === 'confirm-app' || action === 'add-passkey') return add(visit, action);
  if (action === 'renew-codes' && visit.factors.length > 0) return renewCodes(visit);
  if (action === 'remove') return remove(visit);
  if (action === 'rename') await rename(visit);
  visit.res.redirect(303, path);
}

async function add(visit: Visit, action: 'confirm-app' | 'add-passkey'): Promise<void> {
  const { context, req, res, user, session } = visit;
  const { db } = context;
  const common = { req, user, purpose: setUpPurpose(visit), onlyFirst: false };
  const setup = { ...common, language: languageOfPage(res), origin: originOfPage(req, res) };
  const added = await (action === 'confirm-app' ? confirmApp(context, setup) : confirmPasskey(context, setup));
  if ('problem' in added) {
    return send(res, 400, action === 'confirm-app' ? setUp(visit, added.problem) : await list(visit, added.problem));
  }
  // Both factors were just proved, so this browser doesn't have to again.
  if (!session.amr?.includes('mfa')) {
    session.amr = [...methods.code];
    await visit.renew();
  }
  if (added.codes.length > 0) return showCodes(visit, added.codes);
  send(res, 200, await list({ ...visit, factors: await listFactors(db.global, user.id) }));
}

async function renewCodes(visit: Visit): Promise<void> {
  const { context, req, res, user } = visit;
  const { id: userId, name, email: to } = user;
  const codes = await context.db.global.transaction().execute(async (tx) => {
    await context.mail.queue(tx, {
      template: 'recovery_codes_renewed',
      to,
      language: languageOfPage(res),
      values: { name },
    });
    await recordCodesRenewed(tx, { user_id: userId, origin: originOfPage(req, res) });
    return renewRecoveryCodes(tx, userId);
  });
  showCodes(visit, codes);
}

async function remove(visit: Visit): Promise<void> {
  const { context, req, res, user } = visit;
  const { db, mail } = context;
  const mayBeLast = !(await companyRequiresSecondFactor(db, user.id));
  const result = await removeFactor(db.global, user.id, field(req, 'id'), mayBeLast, async (tx, factor) => {
    const values = { name: user.name, factor: factor.name };
    await mail.queue(tx, { template: 'factor_removed', to: user.email, language: languageOfPage(res), values });
    await recordFactorRemoved(tx, { user_id: user.id, origin: originOfPage(req, res) }, factor.kind);
  });
  if (result === 'last') return send(res, 409, await list(visit, lastFactorError));
  res.redirect(303, path);
}

async function rename({ context, req, user }: Visit): Promise<void> {
  const name = nameField(req, 'name').slice(0, maxNameCharacters);
  if (name) await renameFactor(context.db.global, user.id, field(req, 'id'), name);
}

const setUpPurpose = ({ session }: Visit) => `account\n${session.uid}`;

async function list(visit: Visit, error?: Text): Promise<Page> {
  const { context, user, factors } = visit;
  const { db } = context;
  const remaining = await remainingRecoveryCodes(db.global, user.id);
  return factorsPage({
    ...visit.form,
    factors: factors.map((factor) => ({ ...factor, used: factor.last_used_at?.slice(0, 10) })),
    codes_left: tn(remaining, t`One recovery code is left.`, t`${remaining} recovery codes are left.`),
    passkey: await creationForm(db.global, context.factors, setUpPurpose(visit), user),
    error,
  });
}

function setUp(visit: Visit, error?: Text): Page {
  const { context, user, req } = visit;
  const key = keyForm(context, { purpose: setUpPurpose(visit), user }, field(req, 'secret'));
  return setUpPage({ ...visit.form, ...key, lead: setUpLead, passkey: undefined, error });
}

function showCodes(visit: Visit, codes: string[]): void {
  send(visit.res, 200, recoveryCodesPage({ ...visit.form, codes }));
}
