import type { Transaction } from 'kysely';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';

/** `taken`: someone else signs in with that address. Only `confirmed` changes anything. */
export type Confirmation = 'confirmed' | 'gone' | 'taken';

/**
 * @returns false if the account's address has changed since the request
 * @throws the violation of `users_email_key` if someone else has the address
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
  // Password reset links were mailed to the old address.
  await tx
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
  return true;
}
