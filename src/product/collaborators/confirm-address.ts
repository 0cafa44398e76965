/**
 * When a company changes the address in the record of somebody who belongs to it: the person is asked, at the new address,
 * whether they want to sign in with it. The record changes immediately; what they sign in with changes when they say so (see
 * `product/sign-in-address/sign-in-address.ts`).
 *
 * It is asked by a job, which looks the person up when it runs: several changes in a row lead to one mail, about the newest.
 */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { flagsOf, versioned } from '../../platform/queue/job-versions.ts';
import type { CollaboratorRow } from '../access/records.ts';

/** The name of the task. */
const confirm_address_task = 'confirmAddress' as const;

/** What the job is told. */
export interface ConfirmAddressJob {
  company_id: string;
  collaborator_id: string;
}

/** With the queue's growing pauses, more than a day: by then the company may cause mails again. */
const max_attempts = 15;

/** @param rows whose address this transaction has changed; a thousand or so at a time */
export async function askToConfirm(tx: TenantTransaction, rows: readonly CollaboratorRow[]): Promise<void> {
  const { company_id } = tx;
  const jobs = rows
    .filter(({ user_id }) => user_id !== null)
    .map(({ id: collaborator_id }): ConfirmAddressJob => {
      return versioned(confirm_address_task, { company_id, collaborator_id });
    });
  if (jobs.length === 0) return;
  await sql`
    select graphile_worker.add_job(
      ${confirm_address_task}, payload, job_key => 'address:' || (payload->>'collaborator_id'),
      max_attempts => ${max_attempts}::int, flags => ${flagsOf(confirm_address_task)}::text[])
    from json_array_elements(${JSON.stringify(jobs)}::json) as payload`.execute(tx.raw);
}
