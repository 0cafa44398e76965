/** Removes old entries by a database function, because the application itself must not be able to delete entries. */
import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';

const rowsPerStatement = 5_000;

/** @param retentionDays at least 90, which the database enforces itself */
export async function removeOldAudit(tenant: Tenant, retentionDays: number): Promise<number> {
  for (let removed = 0; ; ) {
    const { rows } = await sql<{ removed: number }>`
      select remove_old_audit_entries(${tenant.company_id}::uuid, ${retentionDays}::integer, ${rowsPerStatement}::integer)
        as removed`.execute(tenant.raw);
    removed += rows[0]!.removed;
    if (rows[0]!.removed < rowsPerStatement) return removed;
  }
}
