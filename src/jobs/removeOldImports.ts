/** Once an hour: removes imports that are older than 30 days, with their errors and files. */
import type { Task } from 'graphile-worker';
import type { Database } from '../db/client.ts';
import type { Storage } from '../files/storage.ts';
import { removeOldImportsOf } from '../imports/remove-old.ts';
import type { Logger } from '../log.ts';
import { inEachCompany } from './each-company.ts';

export function removeOldImports(db: Database, storage: Storage, log: Logger): Task {
  return async () => {
    const removed = await inEachCompany(db, (tenant) => removeOldImportsOf(tenant, storage));
    if (removed > 0) log.info({ removed }, 'old imports removed');
  };
}
