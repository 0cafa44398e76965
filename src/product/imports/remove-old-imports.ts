import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';
import { discardObject } from '../../platform/files/discard-files.ts';
import type { Storage } from '../../platform/files/store/storage.ts';

const errorsPerStatement = 5_000;
const importsAtOnce = 100;

export async function removeOldImportsOf(tenant: Tenant, storage: Storage): Promise<number> {
  for (let total = 0; ; ) {
    const old = await tenant
      .selectFrom('imports')
      .select(['id', 'key', 'report_key'])
      .where('expires_at', '<', sql<string>`now()`)
      .where('due_at', 'is', null)
      .limit(importsAtOnce)
      .execute();
    for (const { id, key, report_key: reportKey } of old) {
      await removeErrors(tenant, id);
      await tenant.deleteFrom('imports').where('id', '=', id).where('due_at', 'is', null).execute();
      await discardObject(storage, key);
      await discardObject(storage, reportKey);
    }
    total += old.length;
    if (old.length < importsAtOnce) return total;
  }
}

/** In batches, to keep statements short; deleting the import removes the rest. */
export async function removeErrors(tenant: Tenant, importId: string): Promise<void> {
  for (;;) {
    const some = tenant
      .selectFrom('import_errors')
      .select('row_number')
      .where('import_id', '=', importId)
      .limit(errorsPerStatement);
    const { numDeletedRows } = await tenant
      .deleteFrom('import_errors')
      .where('import_id', '=', importId)
      .where('row_number', 'in', some)
      .executeTakeFirstOrThrow();
    if (Number(numDeletedRows) === 0) return;
  }
}
