/** Removes expired exports with their files, in any state; a process that is still generating one notices. */
import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';
import { discardObject } from '../../platform/files/discard-files.ts';
import type { Storage } from '../../platform/files/store/storage.ts';

const rowsPerStatement = 500;

export async function removeOldExports(tenant: Tenant, storage: Storage): Promise<number> {
  for (let removed = 0; ; ) {
    const some = tenant
      .selectFrom('exports')
      .select('id')
      .where('expires_at', '<', sql<string>`now()`)
      .orderBy('expires_at')
      .limit(rowsPerStatement)
      .forUpdate()
      .skipLocked();
    const rows = await tenant
      .deleteFrom('exports')
      .where('id', '=', sql<string>`any(array(${some}))`)
      .returning('key')
      .execute();
    for (const { key } of rows) await discardObject(storage, key);
    removed += rows.length;
    if (rows.length < rowsPerStatement) return removed;
  }
}
