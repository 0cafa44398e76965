import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { removeOldAudit as removeOfCompany } from '../../../product/audit/remove-old-audit.ts';
import { inEachCompany } from '../each-company.ts';

export function removeOldAudit(db: Database, retentionDays: number, log: Logger): Task {
  return async () => {
    const removed = await inEachCompany(db, (tenant) => removeOfCompany(tenant, retentionDays));
    if (removed > 0) log.info({ removed }, 'old audit entries removed');
  };
}
