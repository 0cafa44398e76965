/** A user's second factors: adding, listing, and removing them. */
import { type Kysely, type QueryCreator, sql, type Transaction } from 'kysely';
import { validate } from 'uuid';
import { type EncryptionKeys, type Vault, vault } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';

export type FactorKind = 'totp' | 'passkey';

export interface Factor {
  id: string;
  kind: FactorKind;
  /** Chosen by the user. */
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** Per user. */
const maxFactors = 10;
export const maxNameCharacters = 60;

/** Encrypts the secrets of authenticator apps. */
export function factorVault(encryptionKeys: EncryptionKeys): Vault {
  return vault(encryptionKeys, 'second-factors');
}

/** Encrypts what pages carry from one step to the next. */
export function stepVault(encryptionKeys: EncryptionKeys): Vault {
  return vault(encryptionKeys, 'sign-in-steps');
}

/** All of a user, oldest first. */
export async function listFactors(db: Kysely<GlobalTables>, userId: string): Promise<Factor[]> {
  const columns = ['id', 'name', 'created_at', 'last_used_at'] as const;
  const [apps, passkeys] = await Promise.all([
    db.selectFrom('totp_factors').select(columns).where('user_id', '=', userId).execute(),
    db.selectFrom('passkeys').select(columns).where('user_id', '=', userId).execute(),
  ]);
  const all: Factor[] = [
    ...apps.map((each) => ({ ...each, kind: 'totp' as const })),
    ...passkeys.map((each) => ({ ...each, kind: 'passkey' as const })),
  ];
  return all.sort((a, b) => a.created_at.localeCompare(b.created_at));
}

/** Whether the user needs more than a password to sign in. */
export async function hasFactor(db: Kysely<GlobalTables>, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('totp_factors')
    .select('id')
    .where('user_id', '=', userId)
    .unionAll(db.selectFrom('passkeys').select('id').where('user_id', '=', userId))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many of these users have one. */
export async function usersWithFactor(db: QueryCreator<GlobalTables>, userIds: readonly string[]): Promise<number> {
  if (userIds.length === 0) return 0;
  const among = sql<string>`any(${userIds}::uuid[])`;
  const rows = await db
    .selectFrom('totp_factors')
    .select('user_id')
    .where('user_id', '=', among)
    .union(db.selectFrom('passkeys').select('user_id').where('user_id', '=', among))
    .execute();
  return rows.length;
}

/**
 * Adds a factor, with recovery codes if it is the first.
 * @param add inserts its row; false when it can't
 * @param onlyFirst whether the user must have none yet, because only the password was proved
 * @returns the recovery codes, empty if there were some; undefined when nothing was added
 */
export async function addFactor(
  db: Kysely<GlobalTables>,
  userId: string,
  add: (tx: Transaction<GlobalTables>) => Promise<boolean>,
  onlyFirst = false,
): Promise<string[] | undefined> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const factors = await listFactors(tx, userId);
    if (factors.length >= maxFactors || (onlyFirst && factors.length > 0)) return undefined;
    if (!(await add(tx))) return undefined;
    return factors.length === 0 ? renewRecoveryCodes(tx, userId) : [];
  });
}

/**
 * Removes a factor; recovery codes are removed with the last one.
 * @param mayBeLast whether the user may be left with only a password
 */
export async function removeFactor(
  db: Kysely<GlobalTables>,
  userId: string,
  id: string,
  mayBeLast: boolean,
  also: (tx: Transaction<GlobalTables>, removed: Factor) => Promise<void> = async () => {},
): Promise<'removed' | 'unknown' | 'last'> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const factors = await listFactors(tx, userId);
    const found = factors.find((factor) => factor.id === id);
    if (!found) return 'unknown';
    if (factors.length === 1 && !mayBeLast) return 'last';
    await tx.deleteFrom(tableOf(found.kind)).where('id', '=', id).where('user_id', '=', userId).execute();
    if (factors.length === 1) await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
    await also(tx, found);
    return 'removed';
  });
}

/** @returns false when the user has no such factor */
export async function renameFactor(db: Kysely<GlobalTables>, userId: string, id: string, name: string) {
  if (!validate(id)) return false; // from a form
  for (const kind of ['totp', 'passkey'] as const) {
    const renamed = await db
      .updateTable(tableOf(kind))
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst();
    if (renamed) return true;
  }
  return false;
}

/** Removes all factors of a user who has lost them. @returns how many there were */
export async function removeAllFactors(tx: Transaction<GlobalTables>, userId: string): Promise<number> {
  await lockUser(tx, userId);
  const factors = await listFactors(tx, userId);
  for (const table of ['totp_factors', 'passkeys', 'recovery_codes'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  return factors.length;
}

function tableOf(kind: FactorKind) {
  return kind === 'totp' ? 'totp_factors' : 'passkeys';
}

/** Serializes changes of one user's factors. */
async function lockUser(tx: Transaction<GlobalTables>, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}
