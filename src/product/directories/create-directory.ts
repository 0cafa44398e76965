import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { countRows } from '../../platform/db/count-rows.ts';
import { lockNamed } from '../../platform/db/named-lock.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { newScannable } from '../../platform/secrets/scannable.ts';
import { secretHash } from '../../platform/secrets/secrets.ts';
import { newId } from '../../platform/values/ids.ts';
import { emit } from '../events/emit.ts';
import { type DirectoryRow, directoryColumns } from './directories.ts';

const maxDirectories = 3;
const unassigned = 'Unassigned';

type NewDirectory = components['schemas']['DirectoryCreate'] & { created_by: string };

/**
 * @returns the row, and its token, which is never shown again
 * @throws 409 at the maximum per company
 */
export async function addDirectory(
  tx: TenantTransaction,
  { name, created_by: createdBy, ...settings }: NewDirectory,
): Promise<{ row: DirectoryRow; token: string }> {
  await requireRoom(tx);
  const token = newScannable('directory_token');
  // Statement time, not transaction time: under the lock, it gives the creation order.
  const now = sql<string>`statement_timestamp()`;
  const row = await tx.global
    .insertInto('directories')
    .values({
      id: newId(),
      company_id: tx.company_id,
      name,
      on_delete: settings.on_delete ?? 'deactivate',
      on_create: settings.on_create ?? 'pending',
      match_by: settings.match_by ?? 'email',
      on_local_change: settings.on_local_change ?? 'refuse',
      default_department: settings.default_department ?? unassigned,
      default_position: settings.default_position ?? unassigned,
      token_hash: secretHash(token),
      created_by: createdBy,
      created_at: now,
      updated_at: now,
    })
    .returning(directoryColumns)
    .executeTakeFirstOrThrow();
  await notifyAccessChanged(tx.raw, { company_id: tx.company_id }); // cached with memberships
  emit(tx, 'directory.created', { id: row.id, name: row.name, created_by: createdBy, created_at: row.created_at });
  return { row, token };
}

/** Locks, so that concurrent requests don't exceed the maximum. */
async function requireRoom(tx: TenantTransaction): Promise<void> {
  await lockNamed(tx, 'directories');
  const known = tx.global.selectFrom('directories').where('company_id', '=', tx.company_id);
  if ((await countRows(known)) < maxDirectories) return;
  throw new Problem(409, 'conflict', t`A company can have ${maxDirectories} directories. Delete one first.`);
}
