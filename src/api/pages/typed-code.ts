/**
 * A code that is typed on a page, of an authenticator app or from the list of recovery codes. A try is counted before it is looked
 * at, as one of a password is, but by itself: the right password must not renew the tries of who has it and lacks the code. Nor
 * has a known device tries of its own here, for who has the password can make any number of such devices.
 */
import type { Request, Response } from 'express';
import { say, type Text } from '../../contract/languages/text.ts';
import { useRecoveryCode } from '../../identity/factors/recovery-codes.ts';
import { useTotp } from '../../identity/factors/totp.ts';
import { field } from './forms.ts';
import { type PageContext, send } from './page-context.ts';
import type { Page } from './pages.ts';
import { sendTooMany, tooMany } from './typed-password.ts';

const wrong_code = say`That code is not right, or was used before. Codes of an app change every 30 seconds.`;

const most_characters = 100;

interface TypedCode {
  req: Request;
  res: Response;
  user_id: string;
  /** The same form once more, with what is wrong. */
  formWith(error: Text): Page;
}

/** @returns whether it is the user's; when it is not, or may not be tried now, the page was answered */
export async function isRightCode(
  { db, limits, log, factors }: Pick<PageContext, 'db' | 'limits' | 'log' | 'factors'>,
  { req, res, user_id, formWith }: TypedCode,
): Promise<boolean> {
  const account = codesOf(user_id);
  const wait_s = await limits.signIn(account, req.ip);
  if (wait_s > 0) {
    sendTooMany(res, wait_s, formWith(tooMany(wait_s)));
    return false;
  }
  const typed = field(req, 'code').slice(0, most_characters);
  const right =
    (await useTotp(db.global, factors.sealed, user_id, typed)) || (await useRecoveryCode(db.global, user_id, typed));
  if (!right) {
    log?.info({ user_id, ip: req.ip }, 'wrong code');
    send(res, 401, formWith(wrong_code));
    return false;
  }
  await limits.signedIn(account, req.ip);
  return true;
}

/** What tries of codes are counted for. */
function codesOf(user_id: string): string {
  return `${user_id}\nsecond factor`;
}
