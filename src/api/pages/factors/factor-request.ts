/** The page that requests a second factor after the password, and its submission. */
import type { Request, Response } from 'express';
import { type Text, t } from '../../../contract/languages/text.ts';
import { methods } from '../../../identity/factors/authentication.ts';
import { listFactors } from '../../../identity/factors/factors.ts';
import { type PageContext, send } from '../shared/page-context.ts';
import type { Form, Page } from '../shared/pages.ts';
import { passkeyOwner, requestForm, stalePasskey } from '../shared/passkey-forms.ts';
import { isRightCode } from '../shared/typed-code.ts';
import { proofPage } from './factor-forms.ts';
import { type SignedUser, signedTicket } from './partial-proof.ts';

const wrongPasskey = t`That passkey was not accepted. Try again, or type a code.`;

const steps = ['prove-code', 'prove-passkey'] as const;
export type ProvingStep = (typeof steps)[number];

export function isProvingStep(action: string): action is ProvingStep {
  return (steps as readonly string[]).includes(action);
}

type Context = Pick<PageContext, 'db' | 'limits' | 'log' | 'factors' | 'mail'>;

export interface FactorRequest {
  user: SignedUser;
  form: Form & { redirect_uri?: string; hasSecretAddress?: boolean };
  label: Text;
  /** Purpose of the password check; the page's tickets are bound to it. */
  purpose: string;
}

export async function requestFactor(
  { db, factors }: Pick<Context, 'db' | 'factors'>,
  { user, form, label, purpose }: FactorRequest,
): Promise<Page & { with(error: Text): Page }> {
  const kinds = new Set((await listFactors(db.global, user.id)).map(({ kind }) => kind));
  const hasPasskey = kinds.has('passkey');
  const passkey = hasPasskey ? await requestForm(db.global, factors, passkeyOf(purpose), user.id) : undefined;
  const lead = kinds.has('totp')
    ? t`Type the code that your authenticator app shows, or one of your recovery codes.`
    : t`Use your passkey, or type one of your recovery codes.`;
  const page = (error?: Text) =>
    proofPage({
      ...form,
      title: t`Confirm it’s you`,
      lead,
      asks_for: 'code',
      step: { action: 'prove-code', label },
      signed: signedTicket(factors.steps, purpose, user),
      passkey,
      error,
    });
  return { ...page(), with: page };
}

/** @returns the methods of the resulting sign-in; undefined if the proof failed and a page was sent */
export async function provedFactor(
  context: Context,
  step: ProvingStep,
  { req, res, factorRequest }: { req: Request; res: Response; factorRequest: FactorRequest },
): Promise<readonly string[] | undefined> {
  const { user, purpose } = factorRequest;
  const page = await requestFactor(context, factorRequest);
  const formWith = (error: Text) => page.with(error);
  if (step === 'prove-code') {
    return (await isRightCode(context, { req, res, user, formWith })) ? methods.code : undefined;
  }
  const owner = await passkeyOwner(context.db.global, context.factors, passkeyOf(purpose), req);
  if (owner === user.id) return methods.passwordAndPasskey;
  send(res, 401, formWith(owner === 'stale' ? stalePasskey : wrongPasskey));
  return undefined;
}

function passkeyOf(purpose: string): string {
  return `passkey\n${purpose}`;
}
