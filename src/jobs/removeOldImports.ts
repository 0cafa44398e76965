/** Once an hour: removes imports that are older than 30 days, with their errors and files. */
import type { Task } from 'graphile-worker';
import type { Database } from '../db/client.ts';
import type { Storage } from '../files/storage.ts';
import { removeOldImportsOf } from '../imports/remove-old.ts';
import type { Logger } from '../log.ts';

export function removeOldImports(db: Database, storage: Storage, log: Logger): Task {
  return async () => {
    let removed = 0;
    for (const { id } of await db.global.selectFrom('companies').select('id').execute()) {
      removed += await removeOldImportsOf(db.tenant(id), storage);
    }
    if (removed > 0) log.info({ removed }, 'old imports removed');
  };
}
