/** The name of a user's account, shown in mails, on pages, and on devices with their passkeys. */
import { trustedNameErrors } from '../../contract/error-messages.ts';
import { type Text, t } from '../../contract/languages/text.ts';
import { queueForUser } from '../../platform/audit/account-entries.ts';
import type { Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';

export const maxNameCharacters = 200;

/** @param name normalized by `oneLine` */
export function nameProblem(name: string): Text | undefined {
  if (name === '') return t`Type your name.`;
  if (name.length > maxNameCharacters) return t`A name has at most ${maxNameCharacters} characters.`;
  return trustedNameErrors(name)[0]?.message;
}

/** Does nothing when the name is unchanged. */
export async function renameUser(db: Database, userId: string, name: string, origin: Origin): Promise<void> {
  await db.global.transaction().execute(async (tx) => {
    const renamed = await tx
      .updateTable('users')
      .set({ name, updated_at: new Date().toISOString() })
      .where('id', '=', userId)
      .where('name', '<>', name)
      .returning('id')
      .executeTakeFirst();
    if (!renamed) return;
    const actor = { type: 'user', user_id: userId } as const;
    await queueForUser(tx, userId, {
      action: 'account.renamed',
      actor,
      origin,
      target: { type: 'user', id: userId },
    });
  });
}
