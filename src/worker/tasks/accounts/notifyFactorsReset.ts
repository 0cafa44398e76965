/** Notifies a company's admins that the operator has removed a person's second factors. */
import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import { type FactorsResetJob, notifyAdmins } from '../../../product/companies/reset-factors.ts';

export function notifyFactorsReset(db: Database, mail: MailQueue): Task {
  return (payload) => notifyAdmins(db, mail, payload as FactorsResetJob);
}
