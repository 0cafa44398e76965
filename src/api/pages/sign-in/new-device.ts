/** Notifies people by mail of a sign-in from a new device. */
import type { Request, Response } from 'express';
import { languageOfUser } from '../../../identity/members/own-language.ts';
import { describeDevice } from '../../../identity/users/describe-device.ts';
import { originOfPage, type PageContext } from '../shared/page-context.ts';
import { languageOfPage } from '../shared/page-language.ts';

/**
 * The first device isn't reported, and mails per day are limited; the account page lists all devices.
 * @param isKnown whether the device has signed in to this account before, without a sign-out by the person since
 */
export async function notifyNewDevice(
  { db, mail, limits, log }: Pick<PageContext, 'db' | 'mail' | 'limits' | 'log'>,
  { req, res, user_id: userId, isKnown }: { req: Request; res: Response; user_id: string; isKnown: boolean },
): Promise<void> {
  if (isKnown) return;
  const grants = db.global.selectFrom('oauth_grants').select('id').where('user_id', '=', userId).limit(1);
  if (!(await grants.executeTakeFirst())) return;
  if ((await limits.deviceMail(userId)) > 0) {
    log?.info({ user_id: userId }, 'no email about a new device: daily limit reached');
    return;
  }
  const user = await db.global
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const language = (await languageOfUser(db, userId)) ?? languageOfPage(res);
  const { ip, user_agent: userAgent } = originOfPage(req, res);
  const time = new Date().toISOString().replace('T', ' ').slice(0, 16);
  const device = describeDevice(userAgent ?? undefined) ?? null;
  const values = { name: user.name, device, address: ip ?? '?', time: `${time} UTC` };
  await mail.queue(db.global, { template: 'new_device', to: user.email, language, values });
}
