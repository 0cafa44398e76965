/** What an account is signed in with from now on. */
import type { Transaction } from 'kysely';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';

/** `taken`: somebody else signs in with that address. After all but the first nothing has changed. */
export type Confirmation = 'confirmed' | 'gone' | 'taken';

/**
 * @returns false when the account has another address by now than it had when this was asked for
 * @throws the violation of `users_email_key` when somebody else has the address
 */
export async function moveUser(
  tx: Transaction<GlobalTables>,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const now = new Date().toISOString();
  const moved = await tx
    .updateTable('users')
    .set({ email: to, email_confirmed_at: now, updated_at: now })
    .where('id', '=', userId)
    .where('email', '=', from)
    .returning('id')
    .executeTakeFirst();
  if (!moved) return false;
  // Links to set another password were mailed to the old address.
  await tx
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
  return true;
}
