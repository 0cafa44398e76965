/** Authenticates the owner of an account behind a mailed link with all factors: the link only proves access to a mailbox. */
import { type Text, t } from '../../../contract/languages/text.ts';
import { hasFactor } from '../../../identity/factors/factors.ts';
import { type FactorRequest, isProvingStep, provedFactor, requestFactor } from '../factors/factor-request.ts';
import { openSignedTicket, type SignedUser } from '../factors/partial-proof.ts';
import { field } from '../shared/forms.ts';
import { send } from '../shared/page-context.ts';
import type { Page } from '../shared/pages.ts';
import { isRightPassword } from '../shared/typed-password.ts';
import type { LinkTurn } from './link-pages.ts';

const timedOut = t`That took too long. Type your password again.`;

interface Owner {
  user: SignedUser;
  wrong: Text;
  label: Text;
  formWith(error: Text): Page;
}

/** @returns whether the owner is proved; otherwise a page was sent: an error, or the next step */
export async function isProved(turn: LinkTurn<unknown>, { user, wrong, label, formWith }: Owner): Promise<boolean> {
  const { context, req, res } = turn;
  const { db, factors, forms, devices } = context;
  // Bound to the page, and so to the link.
  const purpose = `link\n${req.path}`;
  const form = { action: req.path, csrf_token: forms.browserToken(req, res), hasSecretAddress: true };
  const factorRequest: FactorRequest = { user, form, label, purpose };
  const step = field(req, 'action');
  if (isProvingStep(step)) {
    const signed = await openSignedTicket(db, factors.steps, purpose, field(req, 'signed'));
    if (signed?.id !== user.id) return sendPage(res, 401, formWith(timedOut));
    if (!(await provedFactor(context, step, { req, res, factorRequest }))) return false;
    devices.remember(req, res, user.id);
    return true;
  }
  const hasNextStep = await hasFactor(db.global, user.id);
  if (!(await isRightPassword(context, { req, res, user, account: user.id, wrong, formWith, hasNextStep })))
    return false;
  return hasNextStep ? sendPage(res, 200, await requestFactor(context, factorRequest)) : true;
}

function sendPage(res: LinkTurn<unknown>['res'], status: number, page: Page): false {
  send(res, status, page);
  return false;
}
