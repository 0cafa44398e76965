/** Recovery codes: ten single-use codes on paper, with 120 random bits, so their hashes are useless to an attacker. */
import { createHash, randomInt } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';

const codes = 10;
const groups = 6;
const groupCharacters = 4;
/** Without characters that look alike (0 and O, 1 and I). 32 characters are five bits each. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Replaces the existing codes. @returns the codes, which are never shown again */
export async function renewRecoveryCodes(tx: Transaction<GlobalTables>, userId: string): Promise<string[]> {
  const fresh = Array.from({ length: codes }, newCode);
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = fresh.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code) }));
  await tx.insertInto('recovery_codes').values(rows).execute();
  return fresh;
}

/** Whether it is one of the user's unused codes. Uses it atomically, however many requests try it at once. */
export async function useRecoveryCode(db: Kysely<GlobalTables>, userId: string, typed: string): Promise<boolean> {
  const used = await db
    .updateTable('recovery_codes')
    .set({ used_at: new Date().toISOString() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(userId, typed))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}

export async function remainingRecoveryCodes(db: Kysely<GlobalTables>, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

function newCode(): string {
  const group = () => Array.from({ length: groupCharacters }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** @param typed in any case, with or without separators */
function hashOf(userId: string, typed: string): Buffer {
  const code = typed.toUpperCase().replace(/[^0-9A-Z]/g, '');
  return createHash('sha256').update(`${userId}\n${code}`).digest();
}
