/** Asks admins of a company by mail whether to keep apps whose installer has left. */
import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import type { InstallationsJob } from '../../../product/connections/installation-jobs.ts';
import type { InstallationLinks } from '../../../product/connections/installation-links.ts';
import { mailAdmins } from '../../../product/connections/installer-departure.ts';

export function requestInstallationApproval(
  db: Database,
  mail: MailQueue,
  links: InstallationLinks,
  baseUrl: string,
): Task {
  return (payload) => mailAdmins(db, { mail, links, base_url: baseUrl }, payload as InstallationsJob);
}
