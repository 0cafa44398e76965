/** Once an hour: removes exports that have expired. */
import type { Task } from 'graphile-worker';
import type { Database } from '../db/client.ts';
import { removeOldExports as removeOfCompany } from '../exports/remove-old.ts';
import type { Storage } from '../files/storage.ts';
import type { Logger } from '../log.ts';
import { inEachCompany } from './each-company.ts';

export function removeOldExports(db: Database, storage: Storage, log: Logger): Task {
  return async () => {
    const removed = await inEachCompany(db, (tenant) => removeOfCompany(tenant, storage));
    if (removed > 0) log.info({ removed }, 'old exports removed');
  };
}
