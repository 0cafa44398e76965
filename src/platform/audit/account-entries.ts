/**
 * Records account activity outside any company, such as signing in, in the audit logs of the companies concerned only: a sign-in
 * where it gave access, a new password where the user is an active member. Otherwise a company could monitor people who never
 * agreed to belong to it, or find out who has an account. Each company's entry is a separate transaction.
 *
 * If a company's machine of a cluster is lost, the others continue: its entry waits in the queue, which is on the coordinator.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { isUnavailable } from '../../contract/problem.ts';
import type { Database } from '../db/client.ts';
import { queueJob } from '../queue/job-versions.ts';
import { type AuditEntry, type AuditRow, auditRow, recordAuditRows } from './entry.ts';

const uniqueViolation = '23505';

/** Payload of jobs that record in every company of a user. */
export interface AccountEntry {
  user_id: string;
  row: AuditRow;
}

/**
 * Records in every company where the user is active, by a job in the transaction of the change, so that a crash loses nothing.
 */
export async function queueForUser(tx: QueryExecutorProvider, userId: string, entry: AuditEntry): Promise<void> {
  await queueJob(tx, 'recordAccountEntry', { user_id: userId, row: auditRow(entry) } satisfies AccountEntry);
}

/** Writes an entry in every company where the user is active; safe to retry. @throws when a company's data is unavailable */
export async function recordAccountEntry(db: Database, { user_id: userId, row }: AccountEntry): Promise<void> {
  const written = await Promise.allSettled(
    (await companiesOf(db, userId)).map((companyId) => recordRow(db, { company_id: companyId, row })),
  );
  for (const each of written) if (each.status === 'rejected') throw each.reason;
}

export async function recordInCompanies(db: Database, companyIds: readonly string[], entry: AuditEntry): Promise<void> {
  await Promise.all(
    companyIds.map(async (companyId) => {
      const row = auditRow(entry);
      try {
        await recordRow(db, { company_id: companyId, row });
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        await recordLater(db, { company_id: companyId, row });
      }
    }),
  );
}

const lateEntryTask = 'recordAuditEntry';

/** Payload of its jobs. */
export interface LateEntry {
  company_id: string;
  row: AuditRow;
}

/** Writes an entry unless it exists. */
export async function recordRow(db: Database, { company_id: companyId, row }: LateEntry): Promise<void> {
  try {
    await db.tenant(companyId).transaction(async (tx) => recordAuditRows(tx, [row]));
  } catch (error) {
    // It was written, but the response was lost.
    if ((error as { code?: string }).code !== uniqueViolation) throw error;
  }
}

async function recordLater(db: Database, entry: LateEntry): Promise<void> {
  await queueJob(db.global, lateEntryTask, entry);
}

/** Records in every company that one of these grants gives access to. */
export async function recordForGrants(db: Database, grantIds: readonly string[], entry: AuditEntry): Promise<void> {
  const grants = await db.global
    .selectFrom('oauth_grants')
    .select('company_ids')
    .where('id', '=', sql<string>`any(${grantIds}::text[])`)
    .where('revoked_at', 'is', null)
    .execute();
  await recordInCompanies(db, [...new Set(grants.flatMap(({ company_ids: companyIds }) => companyIds))], entry);
}

export async function recordForGrant(
  db: Database,
  grantId: string,
  entryOf: (grant: { user_id: string; client_id: string; installation_role: string | null }) => AuditEntry,
): Promise<void> {
  const grant = await db.global
    .selectFrom('oauth_grants')
    .select(['user_id', 'client_id', 'company_ids', 'installation_role'])
    .where('id', '=', grantId)
    .executeTakeFirst();
  if (grant) await recordInCompanies(db, grant.company_ids, entryOf(grant));
}

async function companiesOf(db: Database, userId: string): Promise<string[]> {
  const rows = await db.global.selectFrom('memberships').select('company_id').where('user_id', '=', userId).execute();
  const active = await Promise.all(rows.map(({ company_id: companyId }) => isActive(db, companyId, userId)));
  return rows.flatMap(({ company_id: companyId }, at) => (active[at] ? [companyId] : []));
}

async function isActive(db: Database, companyId: string, userId: string): Promise<boolean> {
  const row = await db
    .tenant(companyId)
    .selectFrom('collaborators')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
