import type { Task } from 'graphile-worker';
import type { AllCompanies } from '../../platform/db/across-companies.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { expireInvitations as expireOfCompany } from '../../product/invitations/expire-invitations.ts';
import { companiesWithOverdueInvitations } from '../../product/invitations/overdue-invitations.ts';
import { inEachCompany } from './each-company.ts';

export function expireInvitations(db: Database, all: AllCompanies, mail: MailQueue, log: Logger): Task {
  return async () => {
    const overdue = await companiesWithOverdueInvitations(all);
    const expired = await inEachCompany(db, (tenant) => expireOfCompany(tenant, mail), overdue);
    if (expired > 0) log.info({ expired }, 'invitations expired');
  };
}
