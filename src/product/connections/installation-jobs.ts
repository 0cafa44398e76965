/**
 * Jobs about installations carry only ids, and read the current state when they run. `requestInstallationApproval` mails the admins;
 * `followInstallations` pauses and resumes webhooks with their installation.
 */
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { queueJob } from '../../platform/queue/job-versions.ts';

export interface InstallationsJob {
  company_id: string;
  installationIds: string[];
}

export async function queueForInstallations(
  tx: TenantTransaction,
  task: 'requestInstallationApproval' | 'followInstallations',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const job: InstallationsJob = { company_id: tx.company_id, installationIds: [...ids] };
  await queueJob(tx.raw, task, job);
}
