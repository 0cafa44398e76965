/** Removes old entries by a database function, because the application itself must not be able to delete entries. */
import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';

const rowsAStatement = 5_000;

/** @param kept_days at least 90, which the database enforces itself */
export async function removeOldAudit(tenant: Tenant, keptDays: number): Promise<number> {
  for (let removed = 0; ; ) {
    const { rows } = await sql<{ removed: number }>`
      select remove_old_audit_entries(${tenant.company_id}::uuid, ${keptDays}::integer, ${rowsAStatement}::integer)
        as removed`.execute(tenant.raw);
    removed += rows[0]!.removed;
    if (rows[0]!.removed < rowsAStatement) return removed;
  }
}
