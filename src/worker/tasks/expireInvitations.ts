/** Every few minutes: records invitations that were not accepted in time. */
import type { Task } from 'graphile-worker';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { expireInvitations as expireOfCompany } from '../../product/invitations/expire-invitations.ts';
import { inEachCompany } from './each-company.ts';

export function expireInvitations(db: Database, mail: MailQueue, log: Logger): Task {
  return async () => {
    const expired = await inEachCompany(db, (tenant) => expireOfCompany(tenant, mail));
    if (expired > 0) log.info({ expired }, 'invitations expired');
  };
}
