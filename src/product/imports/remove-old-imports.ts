/** Removes imports past their retention, with their errors and files. */
import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';
import { discardObject } from '../../platform/files/discard-files.ts';
import type { Storage } from '../../platform/files/storage.ts';

const errors_a_statement = 5_000;
const imports_at_once = 100;

/** @returns how many were removed */
export async function removeOldImportsOf(tenant: Tenant, storage: Storage): Promise<number> {
  for (let total = 0; ; ) {
    const old = await tenant
      .selectFrom('imports')
      .select(['id', 'key', 'report_key'])
      .where('expires_at', '<', sql<string>`now()`)
      .where('due_at', 'is', null)
      .limit(imports_at_once)
      .execute();
    for (const { id, key, report_key } of old) {
      await removeErrors(tenant, id);
      await tenant.deleteFrom('imports').where('id', '=', id).where('due_at', 'is', null).execute();
      await discardObject(storage, key);
      await discardObject(storage, report_key);
    }
    total += old.length;
    if (old.length < imports_at_once) return total;
  }
}

/** Some at a time, so that no statement takes long; with the import goes what is left. */
export async function removeErrors(tenant: Tenant, import_id: string): Promise<void> {
  for (;;) {
    const some = tenant
      .selectFrom('import_errors')
      .select('row_number')
      .where('import_id', '=', import_id)
      .limit(errors_a_statement);
    const { numDeletedRows } = await tenant
      .deleteFrom('import_errors')
      .where('import_id', '=', import_id)
      .where('row_number', 'in', some)
      .executeTakeFirstOrThrow();
    if (Number(numDeletedRows) === 0) return;
  }
}
