/** Deleting an app, and with it everything that anybody allowed it. */
import { sql } from 'kysely';
import { endGrantsOfClient } from '../../identity/clients/clients.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';

/**
 * Its tokens are refused as soon as each process has heard of it.
 * @returns undefined when somebody was faster
 */
export async function removeApp(tx: TenantTransaction, id: string): Promise<{ deleted_at: string } | undefined> {
  const removed = await tx.global
    .updateTable('oauth_clients')
    .set({ revoked_at: sql<string>`statement_timestamp()` })
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .where('revoked_at', 'is', null)
    .returning('revoked_at')
    .executeTakeFirst();
  if (!removed) return undefined;
  await endGrantsOfClient(tx.global, id);
  return { deleted_at: removed.revoked_at! };
}
