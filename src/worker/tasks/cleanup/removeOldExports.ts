import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { Storage } from '../../../platform/files/store/storage.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { removeOldExports as removeOfCompany } from '../../../product/exports/remove-old-exports.ts';
import { inEachCompany } from '../each-company.ts';

export function removeOldExports(db: Database, storage: Storage, log: Logger): Task {
  return async () => {
    const removed = await inEachCompany(db, (tenant) => removeOfCompany(tenant, storage));
    if (removed > 0) log.info({ removed }, 'old exports removed');
  };
}
