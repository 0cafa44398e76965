/** The second factors of a person: what they have, and its end. */
import { type Kysely, type QueryCreator, sql, type Transaction } from 'kysely';
import { validate } from 'uuid';
import { type EncryptionKeys, type Vault, vault } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';

export type FactorKind = 'totp' | 'passkey';

export interface Factor {
  id: string;
  kind: FactorKind;
  /** That the person has given it. */
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** Of one person. */
const most_factors = 10;
export const longest_name_characters = 60;

/** Seals secrets of authenticator apps. */
export function factorVault(encryption_keys: EncryptionKeys): Vault {
  return vault(encryption_keys, 'second-factors');
}

/** Seals what pages carry from one step to the next. */
export function stepVault(encryption_keys: EncryptionKeys): Vault {
  return vault(encryption_keys, 'sign-in-steps');
}

/** All of a person, oldest first. */
export async function listFactors(db: Kysely<GlobalTables>, user_id: string): Promise<Factor[]> {
  const columns = ['id', 'name', 'created_at', 'last_used_at'] as const;
  const [apps, passkeys] = await Promise.all([
    db.selectFrom('totp_factors').select(columns).where('user_id', '=', user_id).execute(),
    db.selectFrom('passkeys').select(columns).where('user_id', '=', user_id).execute(),
  ]);
  const all: Factor[] = [
    ...apps.map((each) => ({ ...each, kind: 'totp' as const })),
    ...passkeys.map((each) => ({ ...each, kind: 'passkey' as const })),
  ];
  return all.sort((a, b) => a.created_at.localeCompare(b.created_at));
}

/** Whether a password alone does not sign in. */
export async function hasFactor(db: Kysely<GlobalTables>, user_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('totp_factors')
    .select('id')
    .where('user_id', '=', user_id)
    .unionAll(db.selectFrom('passkeys').select('id').where('user_id', '=', user_id))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many of these people have one or more. */
export async function usersWithFactor(db: QueryCreator<GlobalTables>, user_ids: readonly string[]): Promise<number> {
  if (user_ids.length === 0) return 0;
  const among = sql<string>`any(${user_ids}::uuid[])`;
  const rows = await db
    .selectFrom('totp_factors')
    .select('user_id')
    .where('user_id', '=', among)
    .union(db.selectFrom('passkeys').select('user_id').where('user_id', '=', among))
    .execute();
  return rows.length;
}

/**
 * Adds one, with recovery codes when it is the first.
 * @param add what writes its row; false when it can't
 * @param only_first whether it may be added only to somebody who has none: by who has proved no more than the password
 * @returns the recovery codes, none when there were some; undefined when nothing was added
 */
export async function addFactor(
  db: Kysely<GlobalTables>,
  user_id: string,
  add: (tx: Transaction<GlobalTables>) => Promise<boolean>,
  only_first = false,
): Promise<string[] | undefined> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, user_id);
    const factors = await listFactors(tx, user_id);
    if (factors.length >= most_factors || (only_first && factors.length > 0)) return undefined;
    if (!(await add(tx))) return undefined;
    return factors.length === 0 ? renewRecoveryCodes(tx, user_id) : [];
  });
}

/**
 * Takes one away; with the last one go the recovery codes, which stand for it.
 * @param may_be_last whether a password alone may sign in afterwards
 * @param also what else happens in the transaction
 */
export async function removeFactor(
  db: Kysely<GlobalTables>,
  user_id: string,
  id: string,
  may_be_last: boolean,
  also: (tx: Transaction<GlobalTables>, removed: Factor) => Promise<void> = async () => {},
): Promise<'removed' | 'unknown' | 'last'> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, user_id);
    const factors = await listFactors(tx, user_id);
    const found = factors.find((factor) => factor.id === id);
    if (!found) return 'unknown';
    if (factors.length === 1 && !may_be_last) return 'last';
    await tx.deleteFrom(tableOf(found.kind)).where('id', '=', id).where('user_id', '=', user_id).execute();
    if (factors.length === 1) await tx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute();
    await also(tx, found);
    return 'removed';
  });
}

/** @returns false when it is none of theirs */
export async function renameFactor(db: Kysely<GlobalTables>, user_id: string, id: string, name: string) {
  if (!validate(id)) return false; // it came in a form
  for (const kind of ['totp', 'passkey'] as const) {
    const renamed = await db
      .updateTable(tableOf(kind))
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .returning('id')
      .executeTakeFirst();
    if (renamed) return true;
  }
  return false;
}

/** Takes all of them away, for who has lost them. @returns how many there were */
export async function removeAllFactors(tx: Transaction<GlobalTables>, user_id: string): Promise<number> {
  await lockUser(tx, user_id);
  const factors = await listFactors(tx, user_id);
  for (const table of ['totp_factors', 'passkeys', 'recovery_codes'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', user_id).execute();
  }
  return factors.length;
}

function tableOf(kind: FactorKind) {
  return kind === 'totp' ? 'totp_factors' : 'passkeys';
}

/** Changes of one person's factors take turns. */
async function lockUser(tx: Transaction<GlobalTables>, user_id: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute();
}
