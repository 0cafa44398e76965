/** Once a night: removes entries of the audit log that are older than they are kept. */
import type { Task } from 'graphile-worker';
import { removeOldAudit as removeOfCompany } from '../audit/remove-old.ts';
import type { Database } from '../db/client.ts';
import type { Logger } from '../log.ts';

/** @param kept_days how long entries are kept */
export function removeOldAudit(db: Database, kept_days: number, log: Logger): Task {
  return async () => {
    let removed = 0;
    for (const { id } of await db.global.selectFrom('companies').select('id').execute()) {
      removed += await removeOfCompany(db.tenant(id), kept_days);
    }
    if (removed > 0) log.info({ removed }, 'old audit entries removed');
  };
}
