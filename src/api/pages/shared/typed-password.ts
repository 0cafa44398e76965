/** A password that is typed on a page: whichever page it is, a try is counted before it is looked at. */
import type { Request, Response } from 'express';
import { say, sayMany, type Text } from '../../../contract/languages/text.ts';
import { verifyPassword } from '../../../identity/passwords/passwords.ts';
import { field } from './forms.ts';
import { type PageContext, send } from './page-context.ts';
import type { Page } from './pages.ts';

interface Typed {
  req: Request;
  res: Response;
  /** Whose password it should be; undefined when the address has no account. */
  user: { id: string; password_hash: string | null } | undefined;
  /** What tries are counted for: the user's id, or the address when there is none. */
  account: string;
  /** What is said about a wrong one. */
  wrong: Text;
  /** The same form once more, with what is wrong. */
  formWith(error: Text): Page;
  /** Whether more is asked for before the browser is known to have signed in. */
  goesOn?: boolean;
}

/** @returns whether it is the user's; when it is not, or may not be tried now, the page was answered */
export async function isRightPassword(
  { limits, devices, log }: Pick<PageContext, 'limits' | 'devices' | 'log'>,
  { req, res, user, account, wrong, formWith, goesOn }: Typed,
): Promise<boolean> {
  const device = devices.of(req, user?.id);
  const waitS = await limits.signIn(account, req.ip, device);
  if (waitS > 0) {
    sendTooMany(res, waitS, formWith(tooMany(waitS)));
    return false;
  }
  const right = await verifyPassword(user?.password_hash, field(req, 'password'));
  if (!right || !user?.password_hash) {
    // Told to the operator alone. It gives access to no company, so no company hears of it: one that did could find out
    // whether an address has an account, by typing a wrong password for it.
    log?.info({ user_id: user?.id ?? null, ip: req.ip }, 'wrong password');
    send(res, 401, formWith(wrong));
    return false;
  }
  await limits.signedIn(account, req.ip, device);
  if (!goesOn) devices.remember(req, res, user.id);
  return true;
}

/** @param wait_s seconds until another attempt is looked at */
export function sendTooMany(res: Response, waitS: number, page: Page): void {
  send(res.set('Retry-After', String(waitS)), 429, page);
}

/** For the person who has to wait. @param wait_s in seconds */
export function tooMany(waitS: number): Text {
  const minutes = Math.ceil(waitS / 60);
  const hours = Math.ceil(minutes / 60);
  const time =
    minutes <= 90
      ? sayMany(minutes, say`a minute`, say`${minutes} minutes`)
      : sayMany(hours, say`an hour`, say`${hours} hours`);
  return say`That was tried too often. Wait ${time}, then try again.`;
}
