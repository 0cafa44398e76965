/**
 * After a company changes a member's address, mails the new address to ask whether they want to sign in with it (see
 * `product/sign-in-address/sign-in-address.ts`). A job reads the person when it runs, so several changes lead to one mail.
 */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { flagsOf, versioned } from '../../../platform/queue/job-versions.ts';
import type { CollaboratorRow } from '../../access/records.ts';

const confirmAddressTask = 'confirmAddress' as const;

export interface ConfirmAddressJob {
  company_id: string;
  collaborator_id: string;
}

/** With the queue's backoff, more than a day: by then the company's mail limit is reset. */
const maxAttempts = 15;

/** @param rows whose address this transaction has changed; about a thousand at a time */
export async function requestAddressConfirmation(
  tx: TenantTransaction,
  rows: readonly CollaboratorRow[],
): Promise<void> {
  const { company_id: companyId } = tx;
  const jobs = rows
    .filter(({ user_id: userId }) => userId !== null)
    .map(({ id: collaboratorId }): ConfirmAddressJob => {
      return versioned(confirmAddressTask, { company_id: companyId, collaborator_id: collaboratorId });
    });
  if (jobs.length === 0) return;
  await sql`
    select graphile_worker.add_job(
      ${confirmAddressTask}, payload, job_key => 'address:' || (payload->>'collaborator_id'),
      max_attempts => ${maxAttempts}::int, flags => ${flagsOf(confirmAddressTask)}::text[])
    from json_array_elements(${JSON.stringify(jobs)}::json) as payload`.execute(tx.raw);
}
