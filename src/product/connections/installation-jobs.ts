/**
 * Jobs about installations, which their ids tell all: each looks at how they are when it runs. `askForInstallations` mails the admins;
 * `followInstallations` stops and resumes the webhooks of those that are suspended or go on.
 */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { flagsOf, versioned } from '../../platform/queue/job-versions.ts';

export interface InstallationsJob {
  company_id: string;
  installationIds: string[];
}

/** Once this transaction is committed. */
export async function queueForInstallations(
  tx: TenantTransaction,
  task: 'askForInstallations' | 'followInstallations',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const job: InstallationsJob = { company_id: tx.company_id, installationIds: [...ids] };
  const payload = JSON.stringify(versioned(task, job));
  await sql`select graphile_worker.add_job(${task}, ${payload}::json, flags => ${flagsOf(task)}::text[])`.execute(
    tx.raw,
  );
}
