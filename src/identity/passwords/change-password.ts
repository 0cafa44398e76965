import type { Language } from '../../contract/languages/language.ts';
import type { Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { type PasswordChange, setPassword } from './set-password.ts';

/**
 * Changes the password of a signed-in user who has proved their identity.
 * @param user as loaded at the proof
 * @param sessionUid the current session, which continues once it has the new password's mark
 * @returns false when the password has changed since the proof
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
