/** What a person is called in their account: in mails and on pages, and on the devices that keep their passkeys. */
import { say, type Text } from '../../contract/languages/text.ts';
import { queueForUser } from '../../platform/audit/account-entries.ts';
import type { Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';

export const longest_name_characters = 200;

/** Characters that can't be seen, or that turn around what stands beside them: a name with them reads as another one. */
const unseen = /\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}/u;

/** @param name without spaces at its ends */
export function nameProblem(name: string): Text | undefined {
  if (name === '') return say`Type your name.`;
  if (name.length > longest_name_characters) return say`A name has at most ${longest_name_characters} characters.`;
  return unseen.test(name) ? say`A name has only characters that can be seen.` : undefined;
}

/** Nothing happens when they are called so already. */
export async function renameUser(db: Database, user_id: string, name: string, origin: Origin): Promise<void> {
  await db.global.transaction().execute(async (tx) => {
    const renamed = await tx
      .updateTable('users')
      .set({ name, updated_at: new Date().toISOString() })
      .where('id', '=', user_id)
      .where('name', '<>', name)
      .returning('id')
      .executeTakeFirst();
    if (!renamed) return;
    const actor = { type: 'user', user_id } as const;
    await queueForUser(tx, user_id, {
      action: 'account.renamed',
      actor,
      origin,
      target: { type: 'user', id: user_id },
    });
  });
}
