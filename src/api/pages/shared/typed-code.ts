/**
 * Checks a typed code of an authenticator app, or a recovery code. Tries are counted separately from password tries, because a
 * correct password must not reset the limit; and without extra tries for known devices, which anyone with the password can
 * create.
 */
import type { Request, Response } from 'express';
import { type Text, t } from '../../../contract/languages/text.ts';
import { recordCodeUsed } from '../../../identity/factors/factor-changes.ts';
import { remainingRecoveryCodes, useRecoveryCode } from '../../../identity/factors/recovery-codes.ts';
import { useTotp } from '../../../identity/factors/totp.ts';
import { field } from './forms.ts';
import { originOfPage, type PageContext, send } from './page-context.ts';
import { languageOfPage } from './page-language.ts';
import type { Page } from './pages.ts';
import { sendTooMany, tooMany } from './typed-password.ts';

const wrongCode = t`That code is wrong or was already used. App codes change every 30 seconds.`;

const maxCharacters = 100;

type Context = Pick<PageContext, 'db' | 'limits' | 'log' | 'factors' | 'mail'>;

interface TypedCode {
  req: Request;
  res: Response;
  user: { id: string; name: string; email: string };
  formWith(error: Text): Page;
}

/**
 * A used recovery code is reported by mail and in the audit log: someone may have found it.
 * @returns whether it is correct; if not, or if throttled, a page was sent
 */
export async function isRightCode(context: Context, { req, res, user, formWith }: TypedCode): Promise<boolean> {
  const { db, limits, log, factors } = context;
  const { id: userId } = user;
  const account = throttleKey(userId);
  const waitS = await limits.signIn(account, req.ip);
  if (waitS > 0) {
    sendTooMany(res, waitS, formWith(tooMany(waitS)));
    return false;
  }
  const typed = field(req, 'code').slice(0, maxCharacters);
  const isAppCode = await useTotp(db.global, factors.sealed, userId, typed);
  if (!isAppCode && !(await isRecoveryCode(context, { req, res, user, typed }))) {
    log?.info({ user_id: userId, ip: req.ip }, 'wrong code');
    send(res, 401, formWith(wrongCode));
    return false;
  }
  await limits.signedIn(account, req.ip);
  return true;
}

async function isRecoveryCode(
  { db, mail }: Context,
  { req, res, user, typed }: Omit<TypedCode, 'formWith'> & { typed: string },
): Promise<boolean> {
  const { id: userId, name, email: to } = user;
  return db.global.transaction().execute(async (tx) => {
    if (!(await useRecoveryCode(tx, userId, typed))) return false;
    const remaining = await remainingRecoveryCodes(tx, userId);
    const values = { name, left: remaining };
    await mail.queue(tx, { template: 'recovery_code_used', to, language: languageOfPage(res), values });
    await recordCodeUsed(tx, { user_id: userId, origin: originOfPage(req, res) }, remaining);
    return true;
  });
}

function throttleKey(userId: string): string {
  return `${userId}\nsecond factor`;
}
