/** Finds exports; each is visible only to the user who requested it. */

import type { Selectable } from 'kysely';
import type { Exports } from '../../../generated/db.ts';
import { notFound } from '../../contract/problem.ts';
import { keyset } from '../../platform/db/keyset.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { isId } from '../access/records.ts';

export const exportColumns = [
  'id',
  'kind',
  'format',
  'query',
  'filename',
  'key',
  'status',
  'role',
  'scopes',
  'reach',
  'omitted',
  'attempts',
  'deaths',
  'due_at',
  'rows_total',
  'rows_done',
  'row_count',
  'size',
  'failure_message',
  'failure_said',
  'origin',
  'created_by',
  'created_at',
  'completed_at',
  'expires_at',
] as const satisfies (keyof Exports)[];

export type ExportRow = Pick<Selectable<Exports>, (typeof exportColumns)[number]>;

/** @throws 404, also if it has expired */
export async function findExport(tenant: Tenant, userId: string, id: string): Promise<ExportRow> {
  const row = isId(id)
    ? await tenant
        .selectFrom('exports')
        .select(exportColumns)
        .where('id', '=', id)
        .where('created_by', '=', userId)
        .where('expires_at', '>', new Date().toISOString())
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound();
  return row;
}

/** A user's unexpired exports, newest first. */
export async function newestExports(
  tenant: Tenant,
  userId: string,
  status: string | undefined,
  count: number,
  after: [createdAt: string, id: string] | undefined,
): Promise<ExportRow[]> {
  return tenant
    .selectFrom('exports')
    .select(exportColumns)
    .where('created_by', '=', userId)
    .where('expires_at', '>', new Date().toISOString())
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$call(keyset(['created_at', 'id'], 'desc', after))
    .limit(count)
    .execute();
}

export async function exportOfKey(tenant: Tenant, key: string): Promise<ExportRow | undefined> {
  return tenant.selectFrom('exports').select(exportColumns).where('key', '=', key).executeTakeFirst();
}
