/** Re-authentication within a session: all factors, or a passkey, which counts as both. For mailed links see `link-proof.ts`. */
import type { Request, Response } from 'express';
import { type Text, t } from '../../../contract/languages/text.ts';
import { hasFactor, listFactors } from '../../../identity/factors/factors.ts';
import { field } from '../shared/forms.ts';
import { type PageContext, send } from '../shared/page-context.ts';
import type { Page } from '../shared/pages.ts';
import { passkeyOwner, requestForm, stalePasskey } from '../shared/passkey-forms.ts';
import { isRightPassword } from '../shared/typed-password.ts';
import { type FactorRequest, isProvingStep, provedFactor, requestFactor } from './factor-request.ts';
import { openSignedTicket } from './partial-proof.ts';

const wrongPassword = t`That is not the password of your account.`;
const wrongPasskey = t`That passkey was not accepted. Try again, or use another method.`;
const timedOut = t`That took too long. Type your password again.`;

type Context = Pick<PageContext, 'db' | 'limits' | 'devices' | 'log' | 'factors' | 'mail'>;

/** A proof counts only for this user and purpose. */
interface ProofRequest extends FactorRequest {
  req: Request;
  res: Response;
  first(error: Text): Page;
}

export function isProof(action: string): boolean {
  return ['prove', 'passkey'].includes(action) || isProvingStep(action);
}

/** @returns whether this form completes the proof; otherwise a page was sent */
export async function verifyProof(context: Context, proofRequest: ProofRequest): Promise<boolean> {
  const { req, res, user, first, purpose } = proofRequest;
  const { db, factors } = context;
  const action = field(req, 'action');
  if (action === 'passkey') return verifyPasskey(context, proofRequest);
  if (isProvingStep(action)) {
    const signed = await openSignedTicket(db, factors.steps, purpose, field(req, 'signed'));
    if (signed?.id === user.id)
      return Boolean(await provedFactor(context, action, { req, res, factorRequest: proofRequest }));
    send(res, 401, first(timedOut));
    return false;
  }
  const hasNextStep = await hasFactor(db.global, user.id);
  const typed = { req, res, user, account: user.id, wrong: wrongPassword, formWith: first, hasNextStep };
  if (!(await isRightPassword(context, typed))) return false;
  if (hasNextStep) send(res, 200, await requestFactor(context, proofRequest));
  return !hasNextStep;
}

/** The passkey option of the first page. @returns undefined without a passkey */
export async function passkeyOption(
  { db, factors }: Context,
  { user, purpose }: Pick<ProofRequest, 'user' | 'purpose'>,
) {
  const hasOne = (await listFactors(db.global, user.id)).some(({ kind }) => kind === 'passkey');
  return hasOne ? requestForm(db.global, factors, passkeyPurpose(purpose), user.id) : undefined;
}

async function verifyPasskey({ db, factors, log }: Context, { req, res, user, purpose, first }: ProofRequest) {
  const owner = await passkeyOwner(db.global, factors, passkeyPurpose(purpose), req);
  if (owner === user.id) return true;
  log?.info({ user_id: user.id, ip: req.ip }, 'wrong passkey');
  send(res, 401, first(owner === 'stale' ? stalePasskey : wrongPasskey));
  return false;
}

function passkeyPurpose(purpose: string): string {
  return `alone\n${purpose}`;
}
