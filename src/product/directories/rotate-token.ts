import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newScannable } from '../../platform/secrets/scannable.ts';
import { secretHash } from '../../platform/secrets/secrets.ts';
import { isId } from '../access/records.ts';
import { type DirectoryRow, directoryColumns, lockDirectory } from './directories.ts';

/** The previous token stays valid for 24 hours, or expires immediately. @throws 404 if the directory was deleted meanwhile */
export async function rotateToken(
  tx: TenantTransaction,
  id: string,
  immediately: boolean,
): Promise<{ row: DirectoryRow; token: string }> {
  await lockDirectory(tx, id);
  const token = newScannable('directory_token');
  const row = await tx.global
    .updateTable('directories')
    .set({
      token_hash: secretHash(token),
      token_created_at: sql<string>`statement_timestamp()`,
      token_age_told_at: null,
      previous_token_hash: immediately ? null : sql<Buffer>`token_hash`,
      previous_token_expires_at: immediately ? null : sql<string>`statement_timestamp() + interval '1 day'`,
    })
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .returning(directoryColumns)
    .executeTakeFirstOrThrow();
  return { row, token };
}

export type AuthenticDirectory = DirectoryRow & { company_id: string };

/** @returns undefined for an unknown directory or a wrong token, indistinguishably */
export async function directoryByToken(
  db: Pick<Database, 'global'>,
  id: string,
  token: string,
): Promise<AuthenticDirectory | undefined> {
  if (!isId(id)) return undefined;
  const row = await db.global
    .selectFrom('directories')
    .select([...directoryColumns, 'company_id', 'token_hash', 'previous_token_hash'])
    .where('id', '=', id.toLowerCase())
    .executeTakeFirst();
  if (!row) return undefined;
  const { token_hash: newest, previous_token_hash: previous, ...directory } = row;
  const sent = secretHash(token);
  const isPreviousValid = previous !== null && Date.parse(directory.previous_token_expires_at!) > Date.now();
  const isAuthentic = timingSafeEqual(sent, newest) || (isPreviousValid && timingSafeEqual(sent, previous));
  return isAuthentic ? directory : undefined;
}
