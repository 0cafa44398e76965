/** Every few minutes: closes idle directory synchronizations, and warns about old tokens. */
import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import type { SyncMeter } from '../../../product/directories/directory-meter.ts';
import { expireSyncs, warnOfOldTokens } from '../../../product/directories/expire-syncs.ts';
import { inEachCompany } from '../each-company.ts';

export function followDirectories(db: Database, mail: MailQueue, meter: SyncMeter, log: Logger): Task {
  return async () => {
    const found = await db.global.selectFrom('directories').select('company_id').distinct().execute();
    const companies = found.map(({ company_id: companyId }) => companyId);
    const work = async (tenant: Parameters<typeof expireSyncs>[0]) =>
      (await expireSyncs(tenant, meter)) + (await warnOfOldTokens(tenant, mail));
    const done = await inEachCompany(db, work, companies);
    if (done > 0) log.info({ done }, 'directory changes applied');
  };
}
