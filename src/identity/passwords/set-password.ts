/** Sets passwords. A new password ends everything that the old one opened: sessions, grants, and reset links. */
import type { Transaction } from 'kysely';
import { defaultLanguage, type Language } from '../../contract/languages/language.ts';
import { queueForUser } from '../../platform/audit/account-entries.ts';
import type { AuditEntry } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { revokeUserGrants } from '../grants/grants.ts';
import { languageOfUser } from '../members/own-language.ts';
import { revokeSessions } from '../sessions/sessions.ts';
import { findUser } from '../users/users.ts';
import { passwordProblem } from './password-rules.ts';
import { hashPassword } from './passwords.ts';

/** A rejected password; the message is one sentence for the user. */
class PasswordError extends Error {
  override name = 'PasswordError';
}

/**
 * Sets a user's password, for the operator's command line.
 * @returns false when no account has that address
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

/** The actor and origin, for the audit log. */
export type PasswordChange = Pick<AuditEntry, 'actor' | 'origin' | 'details'>;

/**
 * Replaces a user's password, and notifies them by mail. Sessions carry a mark of the password they were opened with, so old ones
 * end on their own (see `identity/provider/adapter.ts`).
 * @param sessionUid a session that continues once it has the new password's mark
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
  await revokeSessions(tx, { user_id: userId }, sessionUid);
  await revokeUserGrants(tx, userId);
  await mail.queue(tx, { template: 'password_changed', to: email, language, values: { name } });
  await queueForUser(tx, userId, { ...by, action: 'password.changed', target: { type: 'user', id: userId } });
}
