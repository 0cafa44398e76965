/**
 * When a company changes the address in the record of somebody who belongs to it: the person is asked, at the new address,
 * whether they want to sign in with it. The record changes immediately; what they sign in with changes when they say so (see
 * `product/sign-in-address/sign-in-address.ts`).
 *
 * It is asked by a job, which looks the person up when it runs: several changes in a row lead to one mail, about the newest.
 */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { flagsOf, versioned } from '../../../platform/queue/job-versions.ts';
import type { CollaboratorRow } from '../../access/records.ts';

/** The name of the task. */
const confirmAddressTask = 'confirmAddress' as const;

/** What the job is told. */
export interface ConfirmAddressJob {
  company_id: string;
  collaborator_id: string;
}

/** With the queue's growing pauses, more than a day: by then the company may cause mails again. */
const maxAttempts = 15;

/** @param rows whose address this transaction has changed; a thousand or so at a time */
export async function askToConfirm(tx: TenantTransaction, rows: readonly CollaboratorRow[]): Promise<void> {
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
