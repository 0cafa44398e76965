/** A new password ends everything that the old one opened: sessions, grants of apps, links to set another. */
import type { Transaction } from 'kysely';
import { defaultLanguage, type Language } from '../../contract/languages/language.ts';
import { queueForUser } from '../../platform/audit/account-entries.ts';
import type { AuditEntry } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { endUserGrants } from '../grants/grants.ts';
import { languageOfUser } from '../members/own-language.ts';
import { endSessions } from '../sessions/sessions.ts';
import { findUser } from '../users/users.ts';
import { passwordProblem } from './password-rules.ts';
import { hashPassword } from './passwords.ts';

/** A password that can't be taken; its message is one sentence for the person. */
class PasswordError extends Error {
  override name = 'PasswordError';
}

/**
 * Gives a user a new password, as the operator's command line does.
 * @param email as they sign in with it, in any case
 * @returns false when nobody signs in with that address
 * @throws PasswordError
 */
export async function resetPassword(
  db: Database,
  mail: MailQueue,
  email: string,
  newPassword: string,
): Promise<boolean> {
  const user = await findUser(db.global, email);
  if (!user) return false;
  const problem = passwordProblem(newPassword, [user.name, user.email]);
  if (problem) throw new PasswordError(String(problem));
  const passwordHash = await hashPassword(newPassword);
  const language = (await languageOfUser(db, user.id)) ?? defaultLanguage;
  const by: PasswordChange = { actor: { type: 'operator' } };
  await db.global.transaction().execute((tx) => setPassword(tx, mail, user.id, passwordHash, language, by));
  return true;
}

/** Who changes a password, and how, for the audit log. */
export type PasswordChange = Pick<AuditEntry, 'actor' | 'origin' | 'details'>;

/**
 * Replaces the password of a user, and tells them by mail. Sessions carry a mark of the password they were opened with,
 * so those of the old one end by themselves (see `identity/provider/adapter.ts`).
 * @param password_hash what `hashPassword` returned
 * @param language of the mail
 * @param sessionUid of a session that goes on, once it has the mark of the new password
 */
export async function setPassword(
  tx: Transaction<GlobalTables>,
  mail: MailQueue,
  userId: string,
  passwordHash: string,
  language: Language,
  by: PasswordChange,
  sessionUid?: string,
): Promise<void> {
  const now = new Date().toISOString();
  const { name, email } = await tx
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: now })
    .where('id', '=', userId)
    .returning(['name', 'email'])
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
  await endSessions(tx, { user_id: userId }, sessionUid);
  await endUserGrants(tx, userId);
  await mail.queue(tx, { template: 'password_changed', to: email, language, values: { name } });
  await queueForUser(tx, userId, { ...by, action: 'password.changed', target: { type: 'user', id: userId } });
}
