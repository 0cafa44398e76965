/** Outcomes of a directory's requests: counts per synchronization, and errors per person. */

import { sql } from 'kysely';
import { keyset } from '../../platform/db/keyset.ts';
import { preparedWrite } from '../../platform/db/statement.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';

export type Outcome = 'created' | 'changed' | 'unchanged' | 'removed' | 'failed';

/** Maximum stored errors per directory. */
const maxErrors = 500;
const maxSubject = 320;
const maxMessage = 1_000;

/**
 * Counts a request in the current synchronization, or starts one. Call it last in a transaction, because others wait for the row.
 */
export function countOutcome(tx: TenantTransaction, directoryId: string, outcome: Outcome): void {
  const one = (name: Outcome) => (outcome === name ? 1 : 0);
  addOutcome(tx, directoryId, newId(), one('created'), one('changed'), one('unchanged'), one('removed'), one('failed'));
}

const addOutcome = preparedWrite(
  (
    { company_id: companyId },
    directoryId: string,
    id: string,
    created: number,
    changed: number,
    unchanged: number,
    removed: number,
    failed: number,
  ) => sql`
    insert into directory_syncs (
      company_id, directory_id, id, last_success_at, created, changed, unchanged, removed, failed)
    values (
      ${companyId}, ${directoryId}, ${id}, case when ${failed} = 0 then now() end,
      ${created}, ${changed}, ${unchanged}, ${removed}, ${failed})
    on conflict (company_id, directory_id) where ended_at is null do update set
      last_request_at = excluded.last_request_at,
      last_success_at = coalesce(excluded.last_success_at, directory_syncs.last_success_at),
      created = directory_syncs.created + excluded.created,
      changed = directory_syncs.changed + excluded.changed,
      unchanged = directory_syncs.unchanged + excluded.unchanged,
      removed = directory_syncs.removed + excluded.removed,
      failed = directory_syncs.failed + excluded.failed`,
);

/** Removes errors of these subjects after a success. @param subjects user names, group names, and ids */
export async function forgetErrors(
  tx: TenantTransaction,
  directoryId: string,
  subjects: readonly string[],
): Promise<void> {
  const names = subjects.map((subject) => subject.slice(0, maxSubject).toLowerCase());
  await tx
    .deleteFrom('directory_errors')
    .where('directory_id', '=', directoryId)
    .where(sql`lower(subject)`, '=', sql<string>`any(${names}::text[])`)
    .execute();
}

interface Refusal {
  subject: string;
  operation: string;
  status: number;
  message: string;
}

/** Records an error in its own transaction, because that of the request was rolled back. */
export async function recordRefusal(tenant: Tenant, directoryId: string, refusal: Refusal): Promise<void> {
  const { operation, status } = refusal;
  const subject = refusal.subject.replaceAll('\0', '').slice(0, maxSubject);
  const message = refusal.message.replaceAll('\0', '').slice(0, maxMessage);
  await tenant.transaction(async (tx) => {
    await sql`
      insert into directory_errors (company_id, directory_id, id, subject, operation, status, message)
      values (${tx.company_id}, ${directoryId}, ${newId()}, ${subject}, ${operation}, ${status}, ${message})
      on conflict (company_id, directory_id, lower(subject)) do update set
        operation = excluded.operation, status = excluded.status, message = excluded.message,
        occurrences = directory_errors.occurrences + 1, last_at = excluded.last_at`.execute(tx.raw);
    await removeOldest(tx, directoryId);
    countOutcome(tx, directoryId, 'failed');
  });
}

async function removeOldest(tx: TenantTransaction, directoryId: string): Promise<void> {
  const older = tx
    .selectFrom('directory_errors')
    .select('id')
    .where('directory_id', '=', directoryId)
    .orderBy('last_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .offset(maxErrors);
  await tx.deleteFrom('directory_errors').where('id', 'in', older).execute();
}

type After = [time: string, id: string] | undefined;

export function latestErrors(tenant: Tenant, directoryId: string, count: number, after: After) {
  return tenant
    .selectFrom('directory_errors')
    .select(['id', 'subject', 'operation', 'status', 'message', 'occurrences', 'first_at', 'last_at'])
    .where('directory_id', '=', directoryId)
    .$call(keyset(['last_at', 'id'], 'desc', after))
    .limit(count)
    .execute();
}

export function latestSyncs(tenant: Tenant, directoryId: string, count: number, after: After) {
  return tenant
    .selectFrom('directory_syncs')
    .select(['id', 'started_at', 'last_request_at', 'ended_at', 'created', 'changed', 'unchanged', 'removed', 'failed'])
    .where('directory_id', '=', directoryId)
    .$call(keyset(['started_at', 'id'], 'desc', after))
    .limit(count)
    .execute();
}
