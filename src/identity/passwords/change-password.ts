/** A new password, chosen by who is signed in and has proved it. */
import type { Language } from '../../contract/languages/language.ts';
import type { Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { type PasswordChange, setPassword } from './set-password.ts';

/**
 * @param user as they were when they proved it
 * @param language of the mail that tells them
 * @param sessionUid of the session that it is done with, which goes on once it has the mark of the new password
 * @returns false when the password is another one by now
 */
export async function changePassword(
  db: Database,
  mail: MailQueue,
  user: { id: string; password_hash: string | null },
  passwordHash: string,
  language: Language,
  sessionUid: string,
  origin: Origin,
): Promise<boolean> {
  return db.global.transaction().execute(async (tx) => {
    const { password_hash: present } = await tx
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (present !== user.password_hash) return false;
    const by: PasswordChange = { actor: { type: 'user', user_id: user.id }, origin, details: { by: 'account_page' } };
    await setPassword(tx, mail, user.id, passwordHash, language, by, sessionUid);
    return true;
  });
}
