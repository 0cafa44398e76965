/** Pauses webhooks of suspended installations, and resumes those of reactivated ones. */
import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import type { InstallationsJob } from '../../../product/connections/installation-jobs.ts';
import { followInstallation } from '../../../product/webhooks/subscriptions/installation-webhooks.ts';

export function followInstallations(db: Database, mail: MailQueue): Task {
  return async (payload) => {
    const { company_id: companyId, installationIds } = payload as InstallationsJob;
    for (const id of installationIds) await followInstallation({ db, mail }, companyId, id);
  };
}
