/** Ends an export early; a process that is still generating it notices. */
import { sql } from 'kysely';
import { notFound } from '../../contract/problem.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { discardObject } from '../../platform/files/discard-files.ts';
import type { Storage } from '../../platform/files/store/storage.ts';

/** @throws 404 if it was removed concurrently */
export async function removeExport(tenant: Tenant, storage: Storage, id: string): Promise<string> {
  const removed = await tenant.transaction(async (tx) => {
    const row = await tx
      .selectFrom('exports')
      .select(['key', sql<string>`statement_timestamp()`.as('deleted_at')])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row) await tx.deleteFrom('exports').where('id', '=', id).execute();
    return row;
  });
  if (!removed) throw notFound();
  await discardObject(storage, removed.key);
  return removed.deleted_at;
}
