/** Finding exports; each is visible only to the user who requested it. */
import type { Selectable } from 'kysely';
import type { Exports } from '../../../generated/db.ts';
import { notFound } from '../../contract/problem.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { isId } from '../access/records.ts';

export type ExportRow = Omit<Selectable<Exports>, 'company_id'>;

/**
 * @param user_id of the caller: an export shows what the one who asked for it may read, so nobody else has it
 * @throws 404, also once it has expired
 */
export async function findExport(tenant: Tenant, user_id: string, id: string): Promise<ExportRow> {
  const row = isId(id)
    ? await tenant
        .selectFrom('exports')
        .selectAll()
        .where('id', '=', id)
        .where('created_by', '=', user_id)
        .where('expires_at', '>', new Date().toISOString())
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound();
  return row;
}

/** The export that an object belongs to, or will once it is written. */
export async function exportOfKey(tenant: Tenant, key: string): Promise<ExportRow | undefined> {
  return tenant.selectFrom('exports').selectAll().where('key', '=', key).executeTakeFirst();
}
