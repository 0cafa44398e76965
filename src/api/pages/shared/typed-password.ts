/** Checks a typed password on any page. Tries are counted before the check. */
import type { Request, Response } from 'express';
import { type Text, t, tn } from '../../../contract/languages/text.ts';
import { verifyPassword } from '../../../identity/passwords/passwords.ts';
import { field } from './forms.ts';
import { type PageContext, send } from './page-context.ts';
import type { Page } from './pages.ts';

interface Typed {
  req: Request;
  res: Response;
  /** The expected user; undefined if the address has no account. */
  user: { id: string; password_hash: string | null } | undefined;
  /** The throttling key: the user's id, or the address without an account. */
  account: string;
  wrong: Text;
  formWith(error: Text): Page;
  /** Whether another step follows before the browser counts as known. */
  hasNextStep?: boolean;
}

/** @returns whether it is correct; if not, or if throttled, a page was sent */
export async function isRightPassword(
  { limits, devices, log }: Pick<PageContext, 'limits' | 'devices' | 'log'>,
  { req, res, user, account, wrong, formWith, hasNextStep }: Typed,
): Promise<boolean> {
  const device = devices.idOf(req, user?.id);
  const waitS = await limits.signIn(account, req.ip, device);
  if (waitS > 0) {
    sendTooMany(res, waitS, formWith(tooMany(waitS)));
    return false;
  }
  const right = await verifyPassword(user?.password_hash, field(req, 'password'));
  if (!right || !user?.password_hash) {
    // For the operator only: a company could find out whether an address has an account by typing a wrong password.
    log?.info({ user_id: user?.id ?? null, ip: req.ip }, 'wrong password');
    send(res, 401, formWith(wrong));
    return false;
  }
  await limits.signedIn(account, req.ip, device);
  if (!hasNextStep) devices.remember(req, res, user.id);
  return true;
}

export function sendTooMany(res: Response, waitS: number, page: Page): void {
  send(res.set('Retry-After', String(waitS)), 429, page);
}

export function tooMany(waitS: number): Text {
  const minutes = Math.ceil(waitS / 60);
  const hours = Math.ceil(minutes / 60);
  const time =
    minutes <= 90 ? tn(minutes, t`a minute`, t`${minutes} minutes`) : tn(hours, t`an hour`, t`${hours} hours`);
  return t`Too many attempts. Wait ${time}, then try again.`;
}
