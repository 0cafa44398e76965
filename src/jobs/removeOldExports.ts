/** Once an hour: removes exports that have expired. */
import type { Task } from 'graphile-worker';
import type { Database } from '../db/client.ts';
import { removeOldExports as removeOfCompany } from '../exports/remove-old.ts';
import type { Storage } from '../files/storage.ts';
import type { Logger } from '../log.ts';

export function removeOldExports(db: Database, storage: Storage, log: Logger): Task {
  return async () => {
    let removed = 0;
    for (const { id } of await db.global.selectFrom('companies').select('id').execute()) {
      removed += await removeOfCompany(db.tenant(id), storage);
    }
    if (removed > 0) log.info({ removed }, 'old exports removed');
  };
}
