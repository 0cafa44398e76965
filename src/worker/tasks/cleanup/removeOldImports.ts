import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { Storage } from '../../../platform/files/store/storage.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { removeOldImportsOf } from '../../../product/imports/remove-old-imports.ts';
import { inEachCompany } from '../each-company.ts';

export function removeOldImports(db: Database, storage: Storage, log: Logger): Task {
  return async () => {
    const removed = await inEachCompany(db, (tenant) => removeOldImportsOf(tenant, storage));
    if (removed > 0) log.info({ removed }, 'old imports removed');
  };
}
