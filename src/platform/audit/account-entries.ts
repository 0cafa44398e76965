/**
 * What a user does outside of any company, such as signing in, stands in the log of each company they belong to: its
 * admins ask who came in, and see nobody else's log. Each company's entry is a transaction of its own.
 */
import type { Database } from '../db/client.ts';
import { type AuditEntry, auditRow, recordAuditRows } from './entry.ts';

/** In every company that knows the user. */
export async function recordForUser(db: Database, user_id: string, entry: AuditEntry): Promise<void> {
  await recordInCompanies(db, await companiesOf(db, user_id), entry);
}

export async function recordInCompanies(
  db: Database,
  company_ids: readonly string[],
  entry: AuditEntry,
): Promise<void> {
  await Promise.all(
    company_ids.map((id) => db.tenant(id).transaction(async (tx) => recordAuditRows(tx, [auditRow(entry)]))),
  );
}

/** In every company that a grant was given for. */
export async function recordForGrant(
  db: Database,
  grant_id: string,
  entryOf: (grant: { user_id: string; client_id: string }) => AuditEntry,
): Promise<void> {
  const grant = await db.global
    .selectFrom('oauth_grants')
    .select(['user_id', 'client_id', 'company_ids'])
    .where('id', '=', grant_id)
    .executeTakeFirst();
  if (grant) await recordInCompanies(db, grant.company_ids, entryOf(grant));
}

export async function companiesOf(db: Database, user_id: string): Promise<string[]> {
  const rows = await db.global.selectFrom('memberships').select('company_id').where('user_id', '=', user_id).execute();
  return rows.map(({ company_id }) => company_id);
}
