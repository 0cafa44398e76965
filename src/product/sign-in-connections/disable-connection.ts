/** Disables a connection for an operator, when a company's own admins can't get in to do it. */
import { sql } from 'kysely';
import { recordAudit } from '../../platform/audit/entry.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { lockAdmins } from '../collaborators/membership/admins.ts';
import { lockConnection } from './sign-in-connections.ts';
import { hasOwnAdmin, signOutPeople, storeSignInPolicy } from './sign-in-methods.ts';

/**
 * Makes it a draft again and signs out its people, also if no admin is left who could sign in: only the operator can help then.
 * @returns whether it was enabled, and whether an admin has an account of their own
 * @throws 404 if it was deleted in the meantime
 */
export async function disableConnection(
  tx: TenantTransaction,
  id: string,
): Promise<{ wasEnabled: boolean; hasAdmin: boolean }> {
  await lockAdmins(tx);
  const wasEnabled = (await lockConnection(tx, id)).status === 'enabled';
  const hasAdmin = await hasOwnAdmin(tx);
  if (!wasEnabled) return { wasEnabled, hasAdmin };
  await tx.global
    .updateTable('sign_in_connections')
    .set({ status: 'draft', updated_at: sql<string>`statement_timestamp()` })
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .execute();
  await signOutPeople(tx, id);
  await storeSignInPolicy(tx);
  const target = { type: 'sign_in_connection', id };
  recordAudit(tx, {
    action: 'updateSignInConnection',
    actor: { type: 'operator' },
    target,
    details: { fields: ['status'] },
  });
  return { wasEnabled, hasAdmin };
}
