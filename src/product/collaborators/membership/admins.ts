/** A company always keeps at least one active admin who can sign in. Admins who haven't accepted their invitation don't count. */

import { sql } from 'kysely';
import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../../access/records.ts';

/** Serializes transactions that could remove an admin. Call it before locking rows, so that all use the same order. */
export async function lockAdmins(tx: TenantTransaction): Promise<string[]> {
  const rows = await activeAdmins(tx).select('id').orderBy('id').forNoKeyUpdate().execute();
  return rows.map(({ id }) => id);
}

/** @throws 409 `last_admin` */
export async function assertAdminRemains(tx: TenantTransaction, ...leaving: CollaboratorRow[]): Promise<void> {
  if (!leaving.some((row) => row.role === 'admin' && row.status === 'active' && row.user_id)) return;
  const ids = leaving.map(({ id }) => id);
  const other = await activeAdmins(tx)
    .select('id')
    .where('id', '<>', sql<string>`all(${ids}::uuid[])`)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw lastAdmin();
}

export function lastAdmin(): Problem {
  return new Problem(409, 'last_admin', t`A company needs at least one active admin, and this is the last one.`);
}

export function activeAdmins(tenant: Tenant) {
  return tenant
    .selectFrom('collaborators')
    .where('role', '=', sql.lit('admin'))
    .where('status', '=', 'active')
    .where('user_id', 'is not', null)
    .where('deleted_at', 'is', null);
}
